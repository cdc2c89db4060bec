import type { Fault } from './control.ts'
import { faultDelayMs } from './faults.ts'
import { type Answer, jsonAnswer } from './http-answer.ts'
import { isRefusalType, refusalBody, refusalStatus } from './refusal.ts'

/** How a request ends, as its sender sees it. */
export type Exchange =
  | { kind: 'answer'; answer: Answer; afterMs: number }
  | { kind: 'reset' } // the connection is broken
  | { kind: 'hang' } // nothing more is written

type Process = () => Promise<Answer>

const answered = (answer: Answer, afterMs = 0): Exchange => ({ kind: 'answer', answer, afterMs })

/**
 * How a request ends if a fault strikes it. If the fault strikes before the request is processed, `process` is not
 * called.
 *
 * @param path below the base URL; a fault that redirects needs it
 * @param basePath path of the base URL
 */
export const throughFault = async (
  fault: Fault | null,
  path: string,
  basePath: string,
  process: Process,
): Promise<Exchange> => {
  switch (fault?.kind) {
    case 'reset_before':
      return { kind: 'reset' }
    case 'answer_lost':
      await process()
      return { kind: 'reset' }
    case 'hang':
      if (fault.processed) await process()
      return { kind: 'hang' }
    case 'slow':
      return answered(await process(), faultDelayMs(fault))
    case 'error_before':
      return answered(brokenAnswer(fault))
    case 'error_after':
      await process()
      return answered(brokenAnswer(fault))
    case 'bad_json':
      return answered(garbled(await process(), fault))
    case 'no_reference':
      return answered(withoutReference(await process()))
    case 'repeated':
      await process()
      return answered(await process())
    case 'redirect':
      return answered(redirectAnswer(`${basePath}/moved${path}`))
    case 'entries_reworded':
      return answered(withEntries(await process(), (entries) => entries.map(reworded(fault))))
    case 'entries_unreferenced':
      return answered(withEntries(await process(), (entries) => entries.map(unreferenced)))
    case 'status_open':
      return answered(stillOpen(await process()))
    case 'rate_limited':
      return answered(limitedAnswer(fault))
    case 'refuse':
      return answered(refusingAnswer(fault))
    default:
      return answered(await process())
  }
}

/** The error answer of a fault. A fault with a `body` answers with that text, like the error page of a proxy. */
const brokenAnswer = ({ status = 500, message, body }: Fault): Answer =>
  body === undefined
    ? jsonAnswer(status, refusalBody('SERVER_ERROR', message ?? 'Something went wrong.'))
    : { status, headers: { 'content-type': 'text/html; charset=utf-8' }, text: body }

const garbled = (answer: Answer, { body = '{"success":true,"order":{"id":', status }: Fault): Answer => ({
  ...answer,
  status: status ?? answer.status,
  text: body,
})

const withoutReference = (answer: Answer): Answer => ({
  ...answer,
  text: JSON.stringify(JSON.parse(answer.text), (key, value) => (key === 'reference' ? undefined : value)),
})

/** Changes the list of wallet entries in an answer. Returns any other answer unchanged. */
const withEntries = (answer: Answer, change: (entries: unknown[]) => unknown[]): Answer => {
  const body = JSON.parse(answer.text)
  if (!Array.isArray(body.transactions)) return answer
  return { ...answer, text: JSON.stringify({ ...body, transactions: change(body.transactions) }) }
}

const reworded =
  ({ message = '' }: Fault) =>
  (entry: unknown) => ({ ...(entry as object), description: message })

const unreferenced = (entry: unknown) => ({ ...(entry as object), reference: null })

/** Changes a status record so that it shows an older status. Returns any other answer unchanged. */
const stillOpen = (answer: Answer): Answer => {
  const body = JSON.parse(answer.text)
  if (!body.order) return answer
  const { recipients: _, delivered_at: __, ...order } = body.order
  return { ...answer, text: JSON.stringify({ ...body, order: { ...order, status: 'processing' } }) }
}

const redirectAnswer = (location: string): Answer => ({ status: 307, headers: { location }, text: '' })

const limitedAnswer = (fault: Fault): Answer => refusingAnswer({ ...fault, type: 'RATE_LIMIT' })

/**
 * The refusal that a fault causes. A 429 has a `Retry-After` (API §7.2) with the fault's own value, unless that is
 * null.
 */
const refusingAnswer = ({ type = 'UNPROCESSABLE', status, message, retryAfter = '30' }: Fault): Answer => {
  const answer = jsonAnswer(
    status ?? (isRefusalType(type) ? refusalStatus(type) : 422),
    refusalBody(type, message ?? 'The request was refused.'),
  )
  if (answer.status === 429 && retryAfter !== null) answer.headers['retry-after'] = retryAfter
  return answer
}
