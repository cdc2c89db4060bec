import { type Refusal, refusalBody, refusalStatus } from './refusal.ts'

export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

export const jsonAnswer = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  text: JSON.stringify(body),
})

/** An error answer of API §7. It has a `Retry-After` if the refusal says how long to wait. */
export const refusalAnswer = (refusal: Refusal): Answer => {
  const answer = jsonAnswer(refusalStatus(refusal.type), refusalBody(refusal.type, refusal.message))
  if (refusal.retryAfterSeconds !== undefined) answer.headers['retry-after'] = `${refusal.retryAfterSeconds}`
  return answer
}
