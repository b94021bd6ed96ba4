// Unpacks gzip in base64, a slice at a time: the page can be drawn and used meanwhile.

/** Characters of base64 that are unpacked at once; every four are three whole bytes. */
const SLICE = 1 << 20;

/** Lets the browser do what waits. A timer would be slowed down in a window that is not looked at. @returns {Promise<void>} */
export function breathe() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
}

/** @param {string} binary */
function bytesOf(binary) {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** @param {string} base64 @returns {Promise<string>} */
export async function gunzip(base64) {
  const { readable, writable } = new DecompressionStream('gzip');
  const feed = async () => {
    const writer = writable.getWriter();
    for (let at = 0; at < base64.length; at += SLICE) {
      await writer.write(bytesOf(atob(base64.slice(at, at + SLICE))));
      if (at + SLICE < base64.length) await breathe();
    }
    await writer.close();
  };
  const [text] = await Promise.all([new Response(readable).text(), feed()]);
  return text;
}
