// Compiles the client beside the page, which stays free for whoever reads: this file is the worker, and the module that starts it.
const isWorker = typeof document === 'undefined';
if (isWorker) {
  onmessage = async ({ data }) => {
    try {
      postMessage(await WebAssembly.compileStreaming(fetch(data)));
    } catch {
      postMessage(null);
    }
  };
}

/** The client at that address, compiled; where no worker can do it, as it comes, for the page to compile. */
export function compiled(wasm) {
  return new Promise((resolve) => {
    const alone = () => resolve(fetch(wasm));
    try {
      const worker = new Worker(import.meta.url, { type: 'module' });
      worker.onerror = alone;
      worker.onmessage = ({ data }) => {
        worker.terminate();
        if (data) resolve(data);
        else alone();
      };
      worker.postMessage(wasm);
    } catch {
      alone();
    }
  });
}
