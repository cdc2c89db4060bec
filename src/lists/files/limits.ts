const megabyte = 1024 * 1024

/** How much of a file is read. The first two are told to people; the others keep a file made to harm harmless. */
export const fileLimits = {
  bytes: 5 * megabyte,
  lines: 10_000,
  /**
   * What is unpacked of a workbook, in bytes. One of 4 MB, with 10,000 rows of 30 different texts, unpacks to 22 MB;
   * the worst that fits was seen to take less than 100 MB of memory.
   */
  unpackedBytes: 48 * megabyte,
  /** Of all lines together, in characters: one long text may stand in thousands of cells and be stored once. */
  textLength: 5 * megabyte,
} as const
