/** Sends a file, telling how far it is. Fetch cannot tell that yet; the older way can. */
import { Problem, problemOf, UNREACHABLE } from "../api/client";
import type { CameIn } from "./words";

interface Upload {
  file: File;
  dryRun: boolean;
  /** The format, if somebody knows better than what is found out. */
  from?: string;
  key: string;
  progress: (share: number) => void;
  signal: AbortSignal;
}

function sent({ file, dryRun, from, key, progress, signal }: Upload): Promise<CameIn> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ dryRun: String(dryRun), ...(from ? { from } : {}) });
    request.open("POST", `/api/import?${query}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Idempotency-Key", key);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) done(request.response as CameIn);
      else {
        const { status, statusText } = request;
        fail(problemOf(request.response, new Response(null, { status: Math.max(status, 200), statusText })));
      }
    };
    request.onerror = () =>
      fail(new Problem(UNREACHABLE, "The server cannot be reached, or did not take the file.", 0));
    request.onabort = () => fail(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

const BUSY_TRIES = 12;
const BUSY_WAIT = 5_000;

/** The same, waiting while the server reads other files. */
export async function upload(what: Upload): Promise<CameIn> {
  for (let tried = 1; ; tried++) {
    try {
      return await sent(what);
    } catch (fault) {
      if (!(fault instanceof Problem) || fault.code !== "busy" || tried === BUSY_TRIES || what.signal.aborted)
        throw fault;
      await new Promise((done) => setTimeout(done, BUSY_WAIT));
    }
  }
}
