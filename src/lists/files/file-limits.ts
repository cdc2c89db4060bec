const megabyte = 1024 * 1024

/** How much of a file is read. People are told the first two limits; the others protect against malicious files. */
export const fileLimits = {
  bytes: 5 * megabyte,
  lines: 10_000,
  /**
   * How many bytes a workbook may unpack to. A large real one (4 MB, 10,000 rows of 30 different texts) unpacks to
   * 22 MB. The worst workbook within this limit took less than 100 MB of memory.
   */
  unpackedBytes: 48 * megabyte,
  /**
   * How many characters all lines together may have. The limit on unpacked bytes is not enough, because thousands of
   * cells can refer to one long text.
   */
  textLength: 5 * megabyte,
} as const
