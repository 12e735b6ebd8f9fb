// What the page and the worker that decodes pictures send each other.

export type SeenCode = {
  code: string;
  format: string;
  /** The distance between the middle of the code and the middle of the picture. */
  offCentre: number;
};
export type FrameRequest = { id: number; picture: ImageBitmap };
export type FrameReply = { id: number } & ({ codes: SeenCode[] } | { failed: string });
