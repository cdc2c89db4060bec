import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  inDatabase,
  newPhone,
  ordersFor,
  placementOf,
  postsFor,
  reconcileAfter,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

/** Orders with these faults of the provider for this reseller. @returns the card when it matches. */
const orderWith = async (reseller: Reseller, phone: string, faults: Fault[], text: RegExp) => {
  const card = await askFor(reseller, phone)
  for (const fault of faults) world.provider.addFault({ ...fault, account: reseller.account.id })
  reseller.chat.press('Confirm')
  return cardReads(world, reseller, card, text)
}

/** The provider places and debits the order, but answers with a definite refusal. */
const deniedAfterDebit: Fault = {
  kind: 'bad_json',
  status: 422,
  body: JSON.stringify({ success: false, error: 'Refused', type: 'UNPROCESSABLE', message: 'Refused.' }),
}

/** The address for callbacks about the order of that POST. */
const tokenUrlOf = (phone: string, post: number): string => {
  const body = postsFor(world, phone).at(post)?.body as { webhook_url?: string } | undefined
  if (!body?.webhook_url) throw new Error(`No POST for ${phone} named an address for callbacks.`)
  return body.webhook_url
}

const callBack = async (
  url: string,
  phone: string,
  reference: string,
  status = 'processing',
): Promise<void> => {
  const body = { event: 'order.status.updated', reference, status, phone }
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, network: 'MTN', volume: '2GB', timestamp: new Date().toISOString() }),
  })
  expect(answer.status).toBe(200)
}

/** Somebody else orders with the same key, and the order is delivered. @returns its reference. */
const placeElsewhere = async ({ account }: Reseller, phone: string): Promise<string> => {
  const { apiKey, apiSecret } = world.provider.account(account.id)
  const answer = await fetch(`${world.provider.url}/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
    body: JSON.stringify({ bundle_id: 2, phone }),
  })
  expect(answer.status).toBe(201)
  const reference = ordersFor(world, phone).at(-1)?.reference ?? ''
  world.provider.setStatus(reference, 'delivered', { quiet: true })
  return reference
}

const pressOn = ({ id }: Reseller, message: Message, label: string) =>
  world.telegram.press({ from: id, messageId: message.message_id, data: dataOf(message, label) })

/** Waits for a later message with this text. @returns its whole text. */
const told = async ({ chat }: Reseller, after: Pick<Message, 'message_id'>, text: string | RegExp) =>
  (await chat.waitForText(text, { after: after.message_id })).text ?? ''

describe('a reference that was inferred from a debit', () => {
  /** Makes an order that was charged but answered with a refusal, and a later order that wrongly got its debit. */
  const takenForAnother = async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const denied = await orderWith(
      reseller,
      phone,
      [{ kind: 'callback_never' }, deniedAfterDebit],
      /rejected/,
    )
    const reference = ordersFor(world, phone)[0]?.reference ?? ''
    const unanswered = await orderWith(reseller, phone, [{ kind: 'reset_before' }], /unconfirmed/)
    await reconcileAfter(world, 0)
    const lost = await cardReads(world, reseller, unanswered, /processing[\s\S]*BUD-API-/)
    expect(lost.text).toContain(reference)
    expect(lost.text).toContain('One charge of GHS 9.60 matches this order')
    return { reseller, phone, denied, lost, reference }
  }

  test('moves to the order whose callback names it, and both cards are corrected', async () => {
    const { reseller, phone, denied, lost, reference } = await takenForAnother()
    await callBack(tokenUrlOf(phone, 0), phone, reference)

    const correction = await told(reseller, lost, 'Correction')
    expect(correction).toContain(`${reference} belongs to another order`)
    expect(correction).toContain('don’t order it again')
    const owner = await cardReads(world, reseller, denied, /processing[\s\S]*BUD-API-/)
    expect(owner.text).toContain(reference)
    const loser = await cardReads(world, reseller, lost, /unconfirmed/)
    expect(loser.text).not.toContain(reference)

    await reconcileAfter(world, 11)
    await cardReads(world, reseller, lost, /not placed[\s\S]*nothing was charged/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(postsFor(world, phone)).toHaveLength(2)
    world.provider.setStatus(reference, 'delivered')
    pressOn(reseller, owner, 'Refresh')
    await cardReads(world, reseller, denied, /delivered/)
  })

  test('stays with its order if a callback about that order has proven it', async () => {
    const { reseller, phone, denied, lost, reference } = await takenForAnother()
    await callBack(tokenUrlOf(phone, 1), phone, reference)
    await world.until(() => inferredOf(reference) === 0, 'the reference is proven')
    await callBack(tokenUrlOf(phone, 0), phone, reference)
    await world.until(() => verdictsFor(reference).includes('foreign'), 'the second claim is dismissed')
    expect((await cardReads(world, reseller, lost, /processing/)).text).toContain(reference)
    expect((await cardReads(world, reseller, denied, /rejected/)).text).not.toContain(reference)
    expect(reseller.chat.texts().join()).not.toContain('Correction')
  })

  test('moves to the order whose own late answer names it', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const first = await orderWith(reseller, phone, [{ kind: 'reset_before' }], /unconfirmed/)
    await reconcileAfter(world, 11)
    await cardReads(world, reseller, first, /not placed/)
    const slow: Fault[] = [{ kind: 'callback_never' }, { kind: 'slow', delayMs: 8_000 }]
    const second = await orderWith(reseller, phone, slow, /Being sent/)
    await world.until(() => ordersFor(world, phone).length === 1, 'the provider has debited')
    // Pretends that the second order was refused, so that it does not compete with the first order for the debit.
    await changeDatabase(world, (db) =>
      db.exec(
        `UPDATE "Order" SET placement = 'rejected', reason = 'refused', leaseToken = NULL WHERE placement = 'sending'`,
      ),
    )
    await reconcileAfter(world, 0)
    const reference = ordersFor(world, phone)[0]?.reference ?? ''
    expect((await cardReads(world, reseller, first, /processing[\s\S]*BUD-API-/)).text).toContain(reference)

    expect(await told(reseller, second, 'Correction')).toContain(`${reference} belongs to another order`)
    const owner = await cardReads(world, reseller, second, /processing[\s\S]*BUD-API-/)
    expect(owner.text).toContain(reference)
    await cardReads(world, reseller, first, /unconfirmed/)
    await reconcileAfter(world, 11)
    await cardReads(world, reseller, first, /not placed/)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  }, 240_000)

  test('is replaced by the reference that the order’s own callback names', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const foreign = await placeElsewhere(reseller, phone)
    const faults: Fault[] = [
      { kind: 'callback_never' },
      { kind: 'debit_late', delayMs: 3_600_000 },
      { kind: 'answer_lost' },
    ]
    const card = await orderWith(reseller, phone, faults, /unconfirmed/)
    await reconcileAfter(world, 0)
    expect((await cardReads(world, reseller, card, /delivered/)).text).toContain(foreign)
    await told(reseller, card, /: delivered/)

    const own = ordersFor(world, phone).at(-1)?.reference ?? ''
    expect(own).not.toBe(foreign)
    await callBack(tokenUrlOf(phone, -1), phone, own)
    const correction = await told(reseller, card, 'Correction')
    expect(correction).toContain(`has the reference ${own}`)
    expect(correction).toContain(`My earlier messages with ${foreign} were about another order`)
    const corrected = await cardReads(world, reseller, card, /processing/)
    expect(corrected.text).toContain(own)
    const announced = await reseller.chat.waitForText('Correction')
    world.provider.setStatus(own, 'delivered')
    pressOn(reseller, corrected, 'Refresh')
    expect(await told(reseller, announced, /: delivered/)).toContain(own)
  })

  const inferredOf = (reference: string): unknown =>
    inDatabase(world, (db) => db.prepare('SELECT inferred FROM "Order" WHERE reference = ?').get(reference))
      ?.inferred

  const verdictsFor = (reference: string): unknown[] =>
    inDatabase(world, (db) =>
      db.prepare('SELECT disposition FROM StatusReport WHERE reference = ?').all(reference),
    ).map(({ disposition }) => disposition)
})

test('two references of an order, from a callback and a late answer, are both kept and reported', async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const named = await placeElsewhere(reseller, phone)
  const slow: Fault[] = [{ kind: 'callback_never' }, { kind: 'slow', delayMs: 8_000 }]
  const card = await orderWith(reseller, phone, slow, /Being sent/)
  await world.until(() => ordersFor(world, phone).length === 2, 'the provider has debited')
  // Does what another instance does when this one's lease has expired.
  await changeDatabase(world, (db) =>
    db.exec(`UPDATE "Order" SET placement = 'unconfirmed', leaseToken = NULL WHERE placement = 'sending'`),
  )
  await callBack(tokenUrlOf(phone, -1), phone, named)
  await cardReads(world, reseller, card, new RegExp(`delivered[\\s\\S]*${named}`))

  const answered = ordersFor(world, phone).at(-1)?.reference ?? ''
  const news = await told(reseller, card, 'names two references')
  expect(news).toContain(`, ${named} and ${answered}.`)
  expect(news).toContain('GHS 9.60 may have been charged twice')
  const both = await cardReads(world, reseller, card, new RegExp(`Second reference: ${answered}`))
  expect(both.text).toContain(named)
  // The outcome of the second order is reported, too.
  await callBack(tokenUrlOf(phone, -1), phone, answered, 'failed')
  expect(await told(reseller, card, `its second reference ${answered} is failed (reported)`)).toContain(
    'If your wallet was charged for it, that money should come back. Look for both references in /transactions.',
  )
  world.provider.credit(answered, 960)
  reseller.chat.say('/transactions')
  await told(reseller, card, `GHS 9.60 came back to your wallet for its second reference ${answered}`)
  expect((await cardReads(world, reseller, card, /delivered/)).text).not.toContain('refunded')
  // Both debits belong to the first order, so neither is assigned to this one.
  const other = await orderWith(reseller, phone, [{ kind: 'reset_before' }], /unconfirmed|409|open already/)
  await reconcileAfter(world, 11)
  await cardReads(world, reseller, other, /not placed/)
  const strange = inDatabase(world, (db) =>
    db.prepare(`SELECT source, disposition FROM StatusReport WHERE reference = ?`).all(answered),
  )
  expect(strange).toContainEqual({ source: 'answer', disposition: 'foreign' })
}, 240_000)

test('after a 409 the wallet is read immediately, and neither of two orders in doubt is called uncharged', async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const first = await orderWith(reseller, phone, [{ kind: 'reset_before' }], /unconfirmed/)
  await reconcileAfter(world, 11)
  await cardReads(world, reseller, first, /not placed/)

  // The debit is made just as the second order is sent. If it were 1.5 s older, it could only be the first order's.
  const repeated: Fault[] = [{ kind: 'callback_never' }, { kind: 'repeated' }]
  const second = await orderWith(
    reseller,
    phone,
    repeated,
    /unconfirmed[\s\S]*already has an order for this number[\s\S]*on’t order again/,
  )
  await told(reseller, second, 'I can’t tell whose it is')
  const denied = await cardReads(world, reseller, first, /not placed[\s\S]*may be for this has appeared/)
  expect(denied.text).not.toMatch(/nothing was charged/i)
  expect(debitsOf(world, reseller)).toHaveLength(1)
})

test('a debit that may belong to no order is looked up once, however often the wallet is read', async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const others = [await placeElsewhere(reseller, phone), await placeElsewhere(reseller, phone)]
  const card = await orderWith(reseller, phone, [{ kind: 'reset_before' }], /unconfirmed/)
  await reconcileAfter(world, 0)
  const gets = (path: string) =>
    world.provider
      .requests()
      .filter(({ accountId, path: asked }) => accountId === reseller.account.id && asked.startsWith(path))
  const isConcluded = () => {
    const read = gets('/').filter(({ path }) => /transactions|status/.test(path))
    return Date.parse(String(updatedAtOf(phone))) > Date.parse(read.at(-1)?.at ?? '')
  }
  await world.until(
    () => gets('/order/status/').length >= others.length && isConcluded(),
    'the records are read',
  )
  for (let looks = 0; looks < 3; looks += 1) {
    const before = gets('/transactions').length
    pressOn(reseller, card, 'Check now')
    await world.until(
      () => gets('/transactions').length > before && isConcluded(),
      'the wallet is read again',
    )
  }
  for (const reference of others) expect(gets(`/order/status/${reference}`)).toHaveLength(1)
  expect((await cardReads(world, reseller, card, /unconfirmed/)).text).not.toContain('BUD-API-')
  expect(placementOf(world, phone)).toEqual(['unconfirmed'])
})

const updatedAtOf = (phone: string): unknown =>
  inDatabase(world, (db) =>
    db
      .prepare('SELECT updatedAt FROM "Order" WHERE id IN (SELECT orderId FROM Recipient WHERE phone = ?)')
      .get(phone),
  )?.updatedAt

test('callbacks that fit no order yet are applied as soon as their order is found', async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const card = await orderWith(
    reseller,
    phone,
    [{ kind: 'callback_never' }, { kind: 'answer_lost' }],
    /unconfirmed/,
  )
  const reference = ordersFor(world, phone)[0]?.reference ?? ''
  await callBack(tokenUrlOf(phone, 0), phone, reference)
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  await world.until(
    () =>
      inDatabase(world, (db) =>
        db
          .prepare(
            `SELECT count(*) AS held FROM StatusReport WHERE reference = ? AND disposition = 'unmatched'`,
          )
          .get(reference),
      )?.held === 0,
    'no callback is held any more',
  )
})

test('an order that was charged twice under one reference is reported with both amounts', async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const faults: Fault[] = [{ kind: 'callback_never' }, { kind: 'debit_twice' }, { kind: 'answer_lost' }]
  const card = await orderWith(reseller, phone, faults, /unconfirmed/)
  await reconcileAfter(world, 0)
  await cardReads(world, reseller, card, /GHS 19\.20 in the wallet matches this order/)
  const words = await told(reseller, card, 'GHS 19.20 instead of GHS 9.60')
  expect(words).toContain(ordersFor(world, phone)[0]?.reference)
  expect(debitsOf(world, reseller)).toHaveLength(2)
})
