import type { TelegramFault } from './control/control.ts'
import { badRequest, forbidden, Refusal, tooManyRequests } from './refusal.ts'

/** The faults that the page or a test has added. A call is struck by the oldest one that fits it. */
export class Faults {
  #faults: { fault: TelegramFault; left: number }[] = []

  add(fault: TelegramFault): void {
    const times = fault.times === undefined ? 1 : fault.times
    this.#faults.push({ fault, left: times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#faults = []
  }

  /** The fault that strikes this call; undefined if none does. Uses up one of the fault's `times`. */
  strike(method: string, chat: number | undefined): TelegramFault | undefined {
    const hit = this.#faults.find(({ fault, left }) => left > 0 && fits(fault, method, chat))
    if (!hit) return undefined
    hit.left -= 1
    return hit.fault
  }
}

function fits(fault: TelegramFault, method: string, chat: number | undefined): boolean {
  const isMethod = fault.method === '*' || fault.method.toLowerCase() === method.toLowerCase()
  return isMethod && (fault.chat === undefined || fault.chat === chat)
}

/** The refusal with which a fault answers; undefined if the method runs in spite of the fault. */
export function refusalOf(fault: TelegramFault): Refusal | undefined {
  switch (fault.kind) {
    case 'flood':
      return tooManyRequests(fault.retryAfterSeconds ?? 1)
    case 'forbidden':
      return fault.description
        ? new Refusal(403, fault.description)
        : forbidden('bot was blocked by the user')
    case 'server_error':
      return new Refusal(500, fault.description ?? 'Internal Server Error')
    case 'bad_request':
      return fault.description
        ? new Refusal(400, fault.description)
        : badRequest('the sandbox refuses this call')
    case 'reset_after':
    case 'reset_before':
    case 'slow':
      return undefined
  }
}
