/** Pictures and files as parts of a message. The server takes a message of 1 MiB, so a large picture is made smaller first. */
import type { Part } from "../api/types";

/** What a message's attachments may weigh together, as base64. */
export const MOST = 900_000;
const LONGEST_SIDE = 1568;

async function base64(blob: Blob): Promise<string> {
  const all = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < all.length; at += 0x8000) text += String.fromCharCode(...all.subarray(at, at + 0x8000));
  return btoa(text);
}

/** A picture, smaller where it is too heavy; models look at no more than this anyway. */
async function picture(file: File): Promise<{ blob: Blob; width: number; height: number }> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  if (file.size * 1.4 < MOST / 3 && Math.max(width, height) <= LONGEST_SIDE * 2) return { blob: file, width, height };
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, "image/jpeg", 0.85));
  if (!blob) throw new Error(`${file.name} could not be read as a picture.`);
  return { blob, width: canvas.width, height: canvas.height };
}

const DRAWN = /^image\/(png|jpe?g|gif|webp)$/;

export async function partOf(file: File): Promise<Part> {
  if (DRAWN.test(file.type)) {
    const { blob, width, height } = await picture(file);
    return { type: "image", mediaType: blob.type || file.type, data: await base64(blob), width, height };
  }
  if (file.size * 1.4 > MOST) throw new Error(`${file.name} is too large: files may have 640 kB together.`);
  const mediaType = file.type || "application/octet-stream";
  return { type: "file", name: file.name, mediaType, data: await base64(file) };
}

export const weight = (parts: readonly Part[]) =>
  parts.reduce((sum, part) => sum + ("data" in part && typeof part.data === "string" ? part.data.length : 0), 0);
