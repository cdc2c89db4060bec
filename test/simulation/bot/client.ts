import {
  type AnswerMeta,
  isPhone,
  type Phone,
  type PlacedBulkOrder,
  type PlacedOrder,
  type PlacementOutcome,
  type PostCall,
  type Provider,
  ProviderError,
} from '../../../src/provider/index.ts'
import type { Charge, Refusal } from '../outside/service.ts'
import type { World } from '../world.ts'
import type { BotProcess, Outside } from './process.ts'

/** How long a POST may take. */
const deadlineMs = 20_000

/** Called when the first byte of a POST is sent. */
export type OnFirstByte = (orderId: string, process: BotProcess) => void

/** The API client of one account in one process. The simulated network in between may lose requests and answers. */
export const createClient = (
  world: World,
  { service, leases, work, onFirstByte, onAnswer }: Outside,
  process: BotProcess,
  accountId: string,
  /** A key that was just typed does not count towards the account's limits. */
  isTyped = false,
): Provider => {
  const { random } = world

  const dateMs = (): number => (world.weather.doubts.dateByProxy ? world.nowMs : service.nowMs)

  const meta = (): AnswerMeta => ({
    httpStatus: 200,
    sentAt: process.clock.now(),
    receivedAt: process.clock.now(),
    serverDate: new Date(Math.floor(dateMs() / 1000) * 1000),
  })

  const read = async <T>(what: string, answer: () => T): Promise<T> => {
    const { stops } = process
    if (!isTyped) leases.asks(process)
    await process.pass(what, random.spread(5, 1_000))
    if (!isTyped) service.arrive(accountId, process.stops > stops)
    const fault = readFault(world)
    const result = fault ?? answer()
    const [method = '', path = ''] = what.split(' ')
    const status = fault ? (fault.httpStatus ?? 500) : 200
    if (!isTyped && process.stops === stops)
      service.requests.push({ accountId, atMs: world.nowMs, method, path, status })
    await process.pass(`${what} answered`, random.spread(5, 1_500))
    if (fault) throw fault
    return result as T
  }

  /** @param execute carries out the order at the provider. @param read makes the answer from the charge. */
  const post = async <T>(
    orderId: string,
    call: PostCall,
    { execute, read }: { execute: () => Charge | Refusal; read: (charge: Charge) => T },
  ): Promise<PlacementOutcome<T>> => {
    const plan = drawPlan(world)
    const { stops } = process
    await process.pass('POST connects', random.spread(5, 300), world.weather.crash.atPost)
    process.mayPause(world.weather.pause.atPost)
    await process.pass('POST starts', 0)
    if (call.signal?.aborted) return { kind: 'not_sent', reason: 'aborted', detail: 'aborted' }
    if (plan === 'unreachable') return { kind: 'not_sent', reason: 'unreachable', detail: 'refused' }
    if (call.mayStart?.() === false) return { kind: 'not_sent', reason: 'refused_start', detail: 'no time' }
    call.onStart?.()
    onFirstByte(orderId, process)
    service.arrive(accountId, process.stops > stops)
    const status = plan === 'rateLimited' ? 429 : null
    // If the process was suspended, the request was counted before that, in an earlier window, so it is left out
    // here.
    const counted = process.stops > stops ? null : accountId
    service.requests.push({
      accountId: counted,
      atMs: world.nowMs,
      method: 'POST',
      path: '/order',
      status,
      orderId,
    })
    world.say('network', () => `POST of ${orderId} leaves: ${plan}`)

    const reply: { value?: Charge | Refusal } = {}
    const isExecuted = !unexecuted.includes(plan)
    const executesAfterMs = plan === 'hang' ? random.spread(5_000, 300_000) : random.spread(5, 800)
    if (isExecuted) {
      world.after(executesAfterMs, () => {
        reply.value = execute()
        if (random.chance(world.weather.doubts.repeated)) reply.value = execute()
      })
    }
    const answersAfterMs = executesAfterMs + random.spread(5, 800)
    const { atPost } = world.weather.crash
    await work.posts(process, accountId, () =>
      process.pass('POST waits', Math.min(answersAfterMs, deadlineMs), atPost),
    )
    process.mayPause(world.weather.pause.atPost)
    await process.pass('POST answered', 0)
    if (answersAfterMs > deadlineMs || plan === 'answerLost') return unconfirmed('timeout')
    const outcome = outcomeOf(plan, reply.value ?? null, read)
    if (outcome.kind === 'placed' && reply.value && 'reference' in reply.value)
      onAnswer(orderId, reply.value.reference, process)
    return outcome
  }

  const outcomeOf = <T>(
    plan: Plan,
    reply: Charge | Refusal | null,
    read: (charge: Charge) => T,
  ): PlacementOutcome<T> => {
    if (plan === 'rateLimited') {
      const retryAfterMs = random.pick([1_000, 30_000, 600_000])
      return { kind: 'not_sent', reason: 'rate_limited', retryAfterMs, meta: meta() }
    }
    if (plan === 'refused') {
      const refusal = { httpStatus: 401, type: 'UNAUTHORIZED' } as const
      return { kind: 'rejected', ...refusal, error: null, message: null, meta: meta() }
    }
    if (plan === 'badAnswer') return unconfirmed('bad_answer')
    if (plan === 'errorAfter' || plan === 'errorBefore') return unconfirmed('server_error')
    if (!reply) return unconfirmed('connection_lost')
    if ('httpStatus' in reply) return { kind: 'rejected', ...reply, error: null, message: null, meta: meta() }
    return {
      kind: 'placed',
      order: read(reply),
      walletBalancePesewas: service.balance(accountId),
      message: null,
      meta: meta(),
    }
  }

  const common = (charge: Charge) => ({
    id: null,
    reference: charge.reference,
    status: 'processing',
    placedAt: new Date(charge.placedAtMs + world.weather.clockOffsetMs),
  })

  return {
    bundles: () =>
      read('GET /bundles', () => ({
        accountType: 'agent',
        bundles: [...service.bundles],
        unreadable: 0,
        meta: meta(),
      })),
    placeOrder: ({ bundleId, phone, webhookUrl: orderId = '' }, call = {}) =>
      post(orderId, call, {
        execute: () => service.place(accountId, bundleId, checked(phone), orderId),
        read: (charge): PlacedOrder => ({
          ...common(charge),
          network: charge.bundle.network,
          volume: charge.bundle.volume,
          phone: charge.phone,
          pricePesewas: charge.pricePesewas,
        }),
      }),
    placeBulkOrder: ({ bundleId, phones, webhookUrl: orderId = '' }, call = {}) =>
      post(orderId, call, {
        execute: () => service.placeBulk(accountId, bundleId, phones.map(checked), orderId),
        read: (charge): PlacedBulkOrder => ({
          ...common(charge),
          bundleId,
          totalQuantity: charge.recipients.length,
          phones: [],
          totalPricePesewas: charge.totalPesewas,
        }),
      }),
    orderStatus: (reference) =>
      read('GET /order/status', () => {
        const record = service.status(accountId, reference)
        if (!record) throw new ProviderError('not_found', 'There is no such order.', { httpStatus: 404 })
        return { ...record, meta: meta() }
      }),
    balance: () =>
      read('GET /wallet/balance', () => ({
        balancePesewas: service.balance(accountId),
        currency: 'GHS',
        accountType: 'agent',
        timestamp: new Date(service.nowMs),
        meta: meta(),
      })),
    transactions: ({ page = 1, perPage = 20 } = {}) =>
      read('GET /transactions', () => ({ ...service.transactions(accountId, page, perPage), meta: meta() })),
  }
}

const plans = [
  'unreachable',
  'resetBefore',
  'answerLost',
  'badAnswer',
  'errorBefore',
  'errorAfter',
  'rateLimited',
  'hang',
] as const

type Plan = (typeof plans)[number] | 'refused' | 'well'

const unexecuted: readonly Plan[] = ['resetBefore', 'errorBefore', 'rateLimited', 'refused']

const drawPlan = ({ random, weather }: World): Plan =>
  plans.find((plan) => random.chance(weather.post[plan])) ??
  (random.chance(weather.doubts.refused) ? 'refused' : 'well')

/** @throws like the real client if the text is not a phone. */
const checked = (phone: string): Phone => {
  if (isPhone(phone)) return phone
  throw new ProviderError('invalid_request', 'A phone must be ten digits.')
}

const unconfirmed = (
  reason: 'timeout' | 'bad_answer' | 'server_error' | 'connection_lost',
): PlacementOutcome<never> => ({ kind: 'unconfirmed', reason, httpStatus: null, detail: reason, meta: null })

const readFault = ({ random, weather }: World): ProviderError | null => {
  const { fails, rateLimited, unauthorized } = weather.read
  if (random.chance(unauthorized)) return new ProviderError('unauthorized', 'Refused.', { httpStatus: 401 })
  if (random.chance(rateLimited)) {
    const retryAfterMs = random.pick([1_000, 60_000, 3_600_000])
    return new ProviderError('rate_limited', 'Too many requests.', { httpStatus: 429, retryAfterMs })
  }
  if (random.chance(fails)) {
    return new ProviderError(random.pick(['timeout', 'server_error', 'bad_answer']), 'No answer.')
  }
  return null
}
