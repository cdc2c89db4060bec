/** 24 days in ms: the greatest value of a database's whole number. */
export const maxOffsetMs = 2_147_483_647
