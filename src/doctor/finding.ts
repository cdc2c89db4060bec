/** What an examination says about one thing. */
export interface Finding {
  grade: Grade
  /** What was looked at. */
  what: string
  /** What was found, without any secret. */
  finding: string
  /** What to do about it; null where nothing is to be done. */
  remedy: string | null
}

/** `warn`: it works, and should be looked at. `fail`: as it is, something does not work. */
export type Grade = 'ok' | 'warn' | 'fail'

export const ok = (what: string, finding: string): Finding => ({ grade: 'ok', what, finding, remedy: null })

export const warn = (what: string, finding: string, remedy: string): Finding => ({
  grade: 'warn',
  what,
  finding,
  remedy,
})

export const fail = (what: string, finding: string, remedy: string): Finding => ({
  grade: 'fail',
  what,
  finding,
  remedy,
})
