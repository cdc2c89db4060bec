/** A draft can be confirmed for this long. */
export const draftMs = 60 * 60_000

/** The rest of a list that was confirmed in part can be confirmed for this long: numbers may have to be asked for. */
export const leftMs = 24 * 60 * 60_000
