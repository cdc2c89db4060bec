import type { ResponseParameters } from 'grammy/types'

/** A refusal of the Bot API, which a bot reads in `error_code`, `description` and `parameters`. */
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

/** A 400, whose description always begins with `Bad Request: `. */
export const badRequest = (what: string) => new Refusal(400, `Bad Request: ${what}`)

/** A 403, whose description begins with `Forbidden: `. */
export const forbidden = (what: string) => new Refusal(403, `Forbidden: ${what}`)

/** A 409, whose description begins with `Conflict: `. */
export const conflict = (what: string) => new Refusal(409, `Conflict: ${what}`)

/** A 429 with the seconds to wait (a whole number, at least 1), both in the text and, for programs, in `parameters`. */
export function tooManyRequests(seconds: number): Refusal {
  return new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
}

/** A request by the chat page or a test that cannot be carried out. `/_sim` answers it with this status. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
