import { maxCallbacks } from '../../src/messaging/callback-limit.ts'
import { type Callback, parseCallback } from '../../src/provider/index.ts'
import { of } from '../lists/rendering.ts'
import { inDatabase, newPhone, place } from '../scenarios/shop.ts'
import { createWorld, type Reseller } from '../support/world.ts'
import type { Attack } from './attack.ts'
import { damaged, type Pick, pickerOf } from './mutation.ts'

/** Parts of real callbacks, and some that never occur in them. */
const pieces = [
  ...'{}[]",:\\ \n\t0123456789-+.eE',
  'null',
  'true',
  '""',
  '{}',
  '[]',
  '1e999',
  '-0',
  '\\u0000',
  '\\ud800',
  '\ufeff',
  '\0',
  '\u202e',
  '\u200b',
  '"status":"delivered",',
  '"status":"failed",',
  '"reference":"BUD-API-X-1",',
  '"phone":"0209999999",',
  '"__proto__":{"status":"delivered"},',
  '"constructor":{"prototype":{"status":"failed"}},',
  '"toString":1,',
  'delivered',
  'DELIVERED ',
  'refunded',
  'cancelled',
  'failed',
  '<b>delivered</b>',
  '=1+1',
  '[['.repeat(5_000),
  'x'.repeat(5_000),
  'x'.repeat(70_000),
  '/*',
  '//',
  "'",
  '`',
  'NaN',
  'Infinity',
  'undefined',
]

const statuses = [
  'placed',
  'processing',
  'delivered',
  'failed',
  'cancelled',
  'refunded',
  'On hold',
  'DELIVERED',
]
const unfinished = ['placed', 'processing', 'On hold']
const final = ['delivered', 'failed', 'cancelled', 'refunded']
const resellers = 4

/** The true state of an order. No callback reports the end of a `still` order. */
type Kind = 'delivered' | 'processing' | 'still'

interface Target {
  kind: Kind
  reseller: Reseller
  phone: string
  reference: string
  url: string
  /** The status in the provider's record. */
  truth: string
  /** How many bodies were posted to the order's address. After too many, another order is attacked instead. */
  posted: number
  /** Every status that callbacks to the order's own address have reported. */
  told: Set<string>
}

/** Orders of several people, some of them delivered. Callbacks about any of them are posted to the addresses of all. */
export const openCallbacks = async (): Promise<Attack> => {
  const world = await createWorld({ process: true, settings: { callbackRetriesMs: [] } })
  const newTarget = async (reseller: Reseller, kind: Kind): Promise<Target> => {
    const phone = newPhone()
    const { reference, webhookUrl } = await place(world, reseller, phone)
    const truth = kind === 'delivered' ? 'delivered' : 'processing'
    if (truth === 'delivered') {
      world.provider.setStatus(reference, truth)
      await reseller.chat.waitForText(`for ${phone}: delivered`, { timeoutMs: 60_000 })
    }
    const told = new Set([truth])
    return { kind, reseller, phone, reference, url: webhookUrl ?? '', truth, told, posted: 0 }
  }
  const targets: Target[] = []
  for (let person = 0; person < resellers; person += 1) {
    const reseller = await world.newReseller()
    for (const kind of ['delivered', 'processing', 'still'] as const)
      targets.push(await newTarget(reseller, kind))
  }

  const attempt = async (seed: number): Promise<string[]> => {
    const pick = pickerOf(seed)
    const [target, other] = [of(targets, pick), of(targets, pick)]
    const body = bodyOf(target, other, seed, pick)
    const parsed = parseCallback(jsonOf(body))
    target.posted += 1
    if (parsed && isAbout(parsed, target)) target.told.add(parsed.status)
    const answer = await fetch(target.url, { method: 'POST', body })
    const text = await answer.text()
    const expected = Buffer.byteLength(body) > 64 * 1024 ? [413] : parsed ? [200, 429] : [400]
    return [
      ...(expected.includes(answer.status)
        ? []
        : [`answered with ${answer.status}, not ${expected}: ${body}`]),
      ...(/node_modules|\.ts:| at /.test(text) ? [`the answer tells of the inside: ${text}`] : []),
    ]
  }

  const look = async (): Promise<string[]> => {
    await world.until(
      () =>
        inDatabase(world, (db) => db.prepare('SELECT 1 FROM StatusReport WHERE appliedAt IS NULL').get()) ===
        undefined,
      'all callbacks are judged',
    )
    const faults = targets.flatMap((target) => announcementFaults(target))
    for (const [index, { reseller, kind, posted }] of targets.entries())
      if (posted > maxCallbacks / 2) targets[index] = await newTarget(reseller, kind)
    return faults
  }

  const secrets = targets.flatMap(({ reseller, phone, url }) => [
    reseller.account.apiKey,
    reseller.account.apiSecret,
    phone,
    url.split('/').at(-1) ?? url,
  ])
  return { world, together: 60, attempt, look, secrets }
}

const isAbout = ({ reference, phone }: Callback, target: Target): boolean =>
  reference === target.reference && (phone === null || phone === target.phone)

/** False statements about the order in the chat or on its card. */
const announcementFaults = ({ reseller, phone, truth, told }: Target): string[] => {
  const announced = new RegExp(`for ${phone}: (.+)`)
  const onCard = new RegExp(`for ${phone}\\nGHS [\\d.]+ · (.+)`)
  const faults: string[] = []
  const seen = new Set<string>()
  for (const text of reseller.chat.texts()) {
    const news = announced.exec(text)?.[1]
    const status = news ?? onCard.exec(text)?.[1] ?? ''
    const word = status.replace(/ \(reported\).*$/, '').trim()
    if (!final.includes(word)) continue
    const isReported = status.includes('(reported)')
    if (!told.has(word)) faults.push(`nobody has told of ${phone}: ${text}`)
    if (!isReported && word !== truth) faults.push(`it is ${truth}, not: ${text}`)
    // A refund may follow a delivery. It is certain once the provider's record says so.
    if (truth === 'delivered' && !['delivered', 'refunded'].includes(word))
      faults.push(`it was delivered, not: ${text}`)
    if (isReported && /back in your wallet/.test(text) && !text.includes('I’m confirming this'))
      faults.push(`nobody knows of that money: ${text}`)
    if (news !== undefined && seen.has(word)) faults.push(`told twice: ${text}`)
    if (news !== undefined) seen.add(word)
  }
  return faults
}

/** A callback about this order or another one: unchanged, with a field of another type, or with damaged text. */
const bodyOf = (target: Target, other: Target, seed: number, pick: Pick): string => {
  const about = pick(3) === 0 ? other : target
  const callback: Record<string, unknown> = {
    event: 'order.status.updated',
    reference: about.reference,
    status: of(about === target && target.kind === 'still' ? unfinished : statuses, pick),
    network: 'MTN',
    volume: '2GB',
    phone: of([about.phone, target.phone, other.phone], pick),
    timestamp: '2026-11-21T10:00:00+00:00',
    number: seed,
  }
  for (let count = pick(3); count > 0; count -= 1) callback[of(Object.keys(callback), pick)] = of(kinds, pick)
  const text = JSON.stringify(callback)
  return pick(2) === 0 ? text : damaged(text, pieces, pick)
}

const kinds: unknown[] = [
  null,
  5,
  -1,
  '',
  ' ',
  [],
  {},
  ['delivered'],
  { $ne: 1 },
  true,
  'x'.repeat(2_000),
  'deli\ud800vered',
  '\0',
]

const jsonOf = (text: string): unknown => {
  try {
    // The body as it arrives: without halves of surrogate pairs and without a byte order mark.
    return JSON.parse(
      Buffer.from(text)
        .toString()
        .replace(/^\ufeff/, ''),
    )
  } catch {
    return null
  }
}
