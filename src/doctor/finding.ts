export interface Finding {
  grade: Grade
  what: string
  /** In words, without any secret. */
  finding: string
  /** What to do; null if there is nothing to do. */
  remedy: string | null
}

/** `ok`: the checked thing works. `warn`: it works but needs attention. `fail`: it does not work. */
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
