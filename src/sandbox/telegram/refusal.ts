import type { ResponseParameters } from 'grammy/types'

/** A refusal by the Bot API. The bot reads it in `error_code`, `description` and `parameters`. */
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

/** The description of a 400 always begins with `Bad Request: `. */
export const badRequest = (what: string) => new Refusal(400, `Bad Request: ${what}`)

export const forbidden = (what: string) => new Refusal(403, `Forbidden: ${what}`)

export const conflict = (what: string) => new Refusal(409, `Conflict: ${what}`)

/**
 * @param seconds how long to wait, a whole number of at least 1. It is in the text and, for programs, in
 * `parameters`.
 */
export function tooManyRequests(seconds: number): Refusal {
  return new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
}

/** The chat page or a test asked for something that is not possible. `/_sim` answers with this status. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
