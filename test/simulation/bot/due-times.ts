import { leaseName } from './leasing.ts'
import type { Tables } from './tables.ts'

const farMs = 24 * 3_600_000

/** The times at which stored work becomes due. They are read again only after a write. */
export class DueTimes {
  readonly #tables: Tables
  #version = ''
  #times: number[] = []

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** The first time after `sinceMs` at which something becomes due, but a day later at most. */
  after(sinceMs: number): number {
    const version = `${this.#tables.version} ${this.#tables.leaseVersion}`
    if (version !== this.#version) this.#gather()
    this.#version = version
    let next = sinceMs + farMs
    for (const time of this.#times) if (time > sinceMs && time < next) next = time
    return next
  }

  #gather(): void {
    const { orders, leases, notices, preferences, accounts, purchases } = this.#tables
    const times: number[] = []
    const add = (time: Date | null): void => {
      if (time !== null) times.push(time.getTime())
    }
    for (const { notBefore, nextPollAt, reconcileAt, refundAt, leaseUntil } of orders.rows()) {
      add(notBefore)
      add(nextPollAt)
      add(reconcileAt)
      add(refundAt)
      // A lease ends after its last millisecond.
      if (leaseUntil !== null) times.push(leaseUntil.getTime() + 1)
    }
    for (const { name, until } of leases.rows()) if (name !== leaseName) times.push(until.getTime() + 1)
    for (const { notBefore, quietUntil } of notices.rows()) {
      add(notBefore)
      add(quietUntil)
    }
    for (const { summaryAt } of preferences.rows()) add(summaryAt)
    for (const { frozenUntil } of accounts.rows()) add(frozenUntil)
    for (const { state, expiresAt } of purchases.rows()) if (state === 'draft') add(expiresAt)
    this.#times = times
  }
}
