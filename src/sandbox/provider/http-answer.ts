import { type Refusal, refusalBody, refusalStatus } from './refusal.ts'

/** An HTTP answer before it is written. */
export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

/** An answer with a JSON body. */
export const jsonAnswer = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  text: JSON.stringify(body),
})

/** An error answer of API §7, with `Retry-After` if the refusal names a wait. */
export const refusalAnswer = (refusal: Refusal): Answer => {
  const answer = jsonAnswer(refusalStatus(refusal.type), refusalBody(refusal.type, refusal.message))
  if (refusal.retryAfterSeconds !== undefined) answer.headers['retry-after'] = `${refusal.retryAfterSeconds}`
  return answer
}
