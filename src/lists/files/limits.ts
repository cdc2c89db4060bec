const megabyte = 1024 * 1024

/** How much of a file is read. The first two are told to people; the others keep a file made to harm harmless. */
export const fileLimits = {
  bytes: 5 * megabyte,
  lines: 10_000,
  /**
   * What is unpacked of a workbook, in bytes: XML shrinks to about a tenth in it, so an honest workbook of the
   * largest size fits.
   */
  unpackedBytes: 64 * megabyte,
  /** Of all lines together, in characters: one long text may stand in thousands of cells and be stored once. */
  textLength: 5 * megabyte,
} as const
