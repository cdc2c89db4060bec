/** How long a draft can be confirmed. Texts take the time from here. */
export const draftMs = 60 * 60_000

/**
 * How long the rest of a list can be confirmed after its first part. Other drafts expire sooner; this one lasts longer
 * because the person may have to ask customers for numbers.
 */
export const restOfListMs = 24 * 60 * 60_000
