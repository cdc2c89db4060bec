const megabyte = 1024 * 1024

/** How much of a file is read. People are told the first two limits; the others keep a file made to harm harmless. */
export const fileLimits = {
  bytes: 5 * megabyte,
  lines: 10_000,
  /**
   * The bytes that a workbook may unpack to. A workbook of 4 MB, with 10,000 rows of 30 different texts,
   * unpacks to 22 MB; the worst that fits was seen to take less than 100 MB of memory.
   */
  unpackedBytes: 48 * megabyte,
  /** The characters of all lines together: one long text may stand in thousands of cells and be stored once. */
  textLength: 5 * megabyte,
} as const
