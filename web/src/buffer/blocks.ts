/**
 * A long text in blocks, so that what is not seen need not be laid out. A block ends where the text has a new line anyway; where a
 * text has none for very long, it ends all the same.
 */
export interface Piece {
  id: string;
  text: string;
}

const ENOUGH = 24;
const MOST = 160;

export function blocks<T extends Piece>(pieces: T[]): T[][] {
  const all: T[][] = [];
  let block: T[] = [];
  pieces.forEach((piece, at) => {
    block.push(piece);
    const next = pieces[at + 1];
    const breaks = piece.text.endsWith("\n") || (next?.text.startsWith("\n") ?? false);
    if ((block.length >= ENOUGH && breaks) || block.length >= MOST) {
      all.push(block);
      block = [];
    }
  });
  if (block.length > 0) all.push(block);
  return all;
}

/** How many words a text has, in any script. */
export function wordCount(text: string): number {
  let words = 0;
  for (const part of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) if (part.isWordLike) words++;
  return words;
}
