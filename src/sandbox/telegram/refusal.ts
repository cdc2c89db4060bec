import type { ResponseParameters } from 'grammy/types'

/** A refusal of the Bot API: what a bot reads in `error_code`, `description` and `parameters`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly parameters: ResponseParameters | undefined

  constructor(code: number, description: string, parameters?: ResponseParameters) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

/** A 400, which the Bot API always words as `Bad Request: …`. */
export const badRequest = (what: string) => new Refusal(400, `Bad Request: ${what}`)

export const forbidden = (what: string) => new Refusal(403, `Forbidden: ${what}`)

export const conflict = (what: string) => new Refusal(409, `Conflict: ${what}`)

/** Slow down: `seconds` is whole, at least 1, and repeated where programs look for it. */
export function tooManyRequests(seconds: number): Refusal {
  return new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
}

/** What the keeper or a person of the sandbox asked for that cannot be. Answered on `/_sim` with this status. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
