// @ts-check
// A picture as it is sent: no larger than a scoresheet can be read, and without what a camera writes beside it, such as the place.

/** Its longer side, in pixels. */
const SIDE = 1600;
/** The daemon takes no more bytes. */
const MOST = 360 * 1024;
/** What is tried, one after the other, until it is small enough. */
const TRIES = /** @type {const} */ ([[1, 0.82], [1, 0.6], [0.75, 0.6], [0.5, 0.6]]);

/**
 * A picture in Base64; null where the file is none, or none that fits.
 * @param {File} file
 */
export async function shrunk(file) {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  for (const [size, quality] of TRIES) {
    const blob = await drawn(picture, scale * size, quality);
    if (blob && blob.size <= MOST) return base64(blob);
  }
  return null;
}

/** @param {ImageBitmap} picture @param {number} scale @param {number} quality */
function drawn(picture, scale, quality) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return /** @type {Promise<Blob | null>} */ (new Promise((done) => { canvas.toBlob(done, 'image/jpeg', quality); }));
}

/** @param {Blob} blob @returns {Promise<string | null>} */
function base64(blob) {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(',')[1]);
    reader.onerror = () => done(null);
    reader.readAsDataURL(blob);
  });
}
