/** The result of examining one thing. */
export interface Finding {
  grade: Grade
  /** The thing that was looked at. */
  what: string
  /** The result in words, without any secret. */
  finding: string
  /** The advice; null if nothing is to be done. */
  remedy: string | null
}

/** `warn`: it works, and should be looked at. `fail`: as it is, something does not work. */
export type Grade = 'ok' | 'warn' | 'fail'

/** A finding that needs nothing done. */
export const ok = (what: string, finding: string): Finding => ({ grade: 'ok', what, finding, remedy: null })

/** A finding that needs something done, while the bot runs. */
export const warn = (what: string, finding: string, remedy: string): Finding => ({
  grade: 'warn',
  what,
  finding,
  remedy,
})

/** A finding that keeps the bot from running, or from running as it should, until something is done. */
export const fail = (what: string, finding: string, remedy: string): Finding => ({
  grade: 'fail',
  what,
  finding,
  remedy,
})
