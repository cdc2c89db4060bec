/** The error types of API §7, with their HTTP status and short text. */
const refusals = {
  VALIDATION_ERROR: { status: 400, error: 'Validation failed' },
  UNAUTHORIZED: { status: 401, error: 'Unauthorized' },
  INSUFFICIENT_BALANCE: { status: 402, error: 'Insufficient balance' },
  NOT_FOUND: { status: 404, error: 'Not found' },
  PENDING_ORDER: { status: 409, error: 'Pending order exists' },
  UNPROCESSABLE: { status: 422, error: 'Unprocessable request' },
  RATE_LIMIT: { status: 429, error: 'Too many requests' },
  SERVER_ERROR: { status: 500, error: 'Server error' },
} as const

type RefusalType = keyof typeof refusals

export interface Refusal {
  kind: 'refused'
  type: RefusalType
  message: string
  retryAfterSeconds?: number
}

export const refuse = (type: RefusalType, message: string): Refusal => ({ kind: 'refused', type, message })

export const isRefusal = (value: object): value is Refusal => 'kind' in value && value.kind === 'refused'

export const isRefusalType = (word: string): word is RefusalType => Object.hasOwn(refusals, word)

export const refusalStatus = (type: RefusalType): number => refusals[type].status

/** The error body of API §7. `type` may also be a word that the API does not document. */
export const refusalBody = (type: string, message: string) => ({
  success: false,
  error: isRefusalType(type) ? refusals[type].error : 'Request refused',
  type,
  message,
})
