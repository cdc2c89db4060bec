/** The largest whole number of a database column; in ms it is 24 days. */
export const maxOffsetMs = 2_147_483_647
