// @module-tag killed
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatOf } from '../../../src/sandbox/index.ts'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { kept, pressKept, stoppedMeanwhile } from '../../../src/telegram/chat/updates/outage-words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { testedKind } from '../../support/database.ts'
import { lockDatabase } from '../../support/locked-database.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { askFor, cardReads, changeDatabase, debitsOf, newPhone, place, postsFor, toastOf } from '../shop.ts'

/**
 * A database that accepts no changes for a while, and what people, the provider and the operators are told in that
 * time.
 */

const ways = ['locked', 'full', 'read_only'] as const
type WayToBreak = (typeof ways)[number]

const causes: Record<WayToBreak, RegExp> = {
  locked: /it’s locked by another program/,
  // SQLite reports a limit on a file's length not as a full disk but as a disk error.
  full: testedKind === 'sqlite' ? /writes are failing|its disk is full/ : /its disk is full/,
  read_only: /it’s read-only/,
}

/** Begins an outage. @returns a function that ends it. */
const begin = (world: World, way: WayToBreak): Promise<() => Promise<void>> => {
  if (way === 'locked') return lockDatabase(world, tables)
  if (testedKind === 'postgresql') return refuse(world, way === 'full' ? '53100' : '25006')
  return fillDisk(world)
}

const tables = [
  'Fact',
  'StatusReport',
  'Order',
  'Purchase',
  'Notice',
  'Session',
  'Request',
  'Chat',
  'Lease',
  'KeptUpdate',
]

/** Makes PostgreSQL refuse writes with that code, by rules on the tables. */
const refuse = async (world: World, code: string) => {
  await changeDatabase(world, (database) => {
    database.exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$BEGIN RAISE EXCEPTION 'no changes' USING ERRCODE = '${code}'; END$$`)
    for (const table of tables)
      database.exec(`CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON "${table}" EXECUTE FUNCTION refuse()`)
  })
  return () =>
    changeDatabase(world, (database) => {
      for (const table of tables) database.exec(`DROP TRIGGER refuse ON "${table}"`)
      database.exec('DROP FUNCTION refuse()')
    })
}

/** Limits the bot's files to their first page. */
const fillDisk = async (world: World) => {
  const limit = (bytes: string) =>
    promisify(execFile)('prlimit', ['--pid', String(world.bot.pid()), `--fsize=${bytes}:`])
  await limit('4096')
  return async () => void (await limit('unlimited'))
}

const tried = ways.filter((way) => testedKind === 'postgresql' || way !== 'read_only')

describe.each(tried)('while the database is %s', (way) => {
  let world: World
  let operator: ReturnType<World['newPerson']>
  let end: () => Promise<void> = async () => {}

  beforeAll(async () => {
    const id = 7_000_001
    world = await createWorld({
      process: true,
      env: { OWNER_IDS: String(id) },
      settings: { callbackTimeoutMs: 20_000, callbackRetriesMs: Array<number>(60).fill(500) },
    })
    world.telegram.addPerson({ id })
    operator = { id, chat: chatOf(world.telegram, id) }
    operator.chat.say('/start')
    await operator.chat.waitForText('Bundlegram')
  })
  afterAll(() => world.close())

  /** Does the work during an outage. @param isKnown whether the bot must have noticed the outage first. */
  const during = async (work: () => Promise<void>, isKnown = true): Promise<void> => {
    end = await begin(world, way)
    try {
      if (isKnown) await world.until(async () => (await readyz()).status === 503, '/readyz to be 503')
      await work()
    } finally {
      await end()
    }
  }

  const readyz = async () => {
    const answer = await fetch(`${world.botUrl}/readyz`)
    return { status: answer.status, body: await answer.text() }
  }

  const apologies = ({ chat }: Reseller) => chat.texts().filter((text) => text === kept)

  test('several messages get one notice and are handled after the outage', async () => {
    const reseller = await world.newReseller()
    const [first, second] = [newPhone(), newPhone()]
    await during(async () => {
      reseller.chat.say(`${first} 2GB`)
      await reseller.chat.waitForText(kept)
      reseller.chat.say(`${second} 2GB`)
      // Other people's messages are answered, because nobody waits behind a held message.
      const other = world.newPerson()
      other.chat.say('/connect')
      await other.chat.waitForText(kept)
    })
    for (const phone of [first, second]) {
      await reseller.chat.waitForText(new RegExp(`${asksToConfirm}[\\s\\S]*${phone}`))
    }
    expect(apologies(reseller)).toHaveLength(1)
    expect(reseller.chat.texts().filter((text) => text.includes(asksToConfirm))).toHaveLength(2)
  })

  test('a typed key is deleted immediately, and connects its account after the outage', async () => {
    const { apiKey, apiSecret } = world.provider.addAccount({ accountType: 'agent' })
    const { id, chat } = world.newPerson()
    await during(async () => {
      const { message_id: messageId } = chat.say(`/connect ${apiKey} ${apiSecret}`)
      await chat.waitForText('so I deleted your message at once')
      expect(world.telegram.deleted(id)).toContainEqual({ messageId, by: 'bot' })
    })
    await chat.waitForText(nowConnected)
    expect(chat.texts().join()).not.toMatch(/delete it yourself|Delete your message/)
  })

  test('an order typed as the outage begins gets a notice, and its card afterwards', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await during(async () => {
      reseller.chat.say(`${phone} 2GB`)
      await reseller.chat.waitForText(/^I can’t save anything just now/)
      reseller.chat.say(`${phone} 2GB`)
      await reseller.chat.waitForText(kept)
    }, false)
    await reseller.chat.waitForText(new RegExp(`${asksToConfirm}[\\s\\S]*${phone}`))
  })

  test('a press of Confirm is kept, and makes one order after the outage', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await during(async () => {
      const press = reseller.chat.press('Confirm')
      expect(await toastOf(world, press)).toBe(pressKept)
      expect(postsFor(world, phone)).toEqual([])
    })
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect([postsFor(world, phone).length, debitsOf(world, reseller).length]).toEqual([1, 1])
  })

  test('a second press of Confirm makes no second order', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await askFor(reseller, phone)
    // The card keeps its button, because Telegram refuses the edit.
    world.telegram.addFault({
      method: 'editMessageText',
      kind: 'server_error',
      chat: reseller.id,
      times: null,
    })
    reseller.chat.press('Confirm')
    await world.until(() => postsFor(world, phone).length === 1, 'the order to be sent')
    await during(async () => {
      const press = reseller.chat.press('Confirm')
      expect(await toastOf(world, press)).toBe(pressKept)
    })
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('/readyz and the operators’ alert name the cause', async () => {
    const { message_id: after } = operator.chat.say('/help')
    await operator.chat.waitForText(helpTitle, { after })
    let alertId = 0
    await during(async () => {
      expect(JSON.parse((await readyz()).body)).toMatchObject({
        missing: ['database'],
        database: expect.stringMatching(causes[way]),
      })
      const alert = await operator.chat.waitForText(/^⚠️ The database isn’t accepting changes/, { after })
      alertId = alert.message_id
      expect(operator.chat.last()?.text).toMatch(causes[way])
    })
    const closed = await operator.chat.waitForText(
      /^✅ Over after .*the database is accepting changes again/,
      {
        after,
      },
    )
    expect(closed.message_id).toBe(alertId)
    await world.until(async () => (await readyz()).status === 200, '/readyz to be 200')
  })

  test('callbacks are answered 503, and stored when the provider repeats them', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const { reference, webhookUrl } = await place(world, reseller, phone)
    const call = async (status: string) => {
      const body = JSON.stringify({ reference, status })
      return (await fetch(String(webhookUrl), { method: 'POST', body })).status
    }
    await during(async () => {
      // Each gets an answer before the outage ends. If one waited for the end, this test would never end.
      const first = call('accepted')
      const behind = [call('queued'), call('sent')]
      expect(await Promise.all([first, ...behind])).toEqual([503, 503, 503])
      world.provider.setStatus(reference, 'delivered')
      await world.until(
        () => world.provider.callbacks().some((each) => each.reference === reference && each.answer === 503),
        'a callback to be answered 503',
      )
    })
    await reseller.chat.waitForText(new RegExp(`for ${phone}: delivered`))
  })
})

test.runIf(testedKind === 'sqlite')(
  'the operators’ alert of an outage is closed by a process that stops before the outage ends',
  async () => {
    const id = 7_000_002
    const world = await createWorld({ process: true, env: { OWNER_IDS: String(id) } })
    world.telegram.addPerson({ id })
    const { say, waitForText } = chatOf(world.telegram, id)
    const { message_id: after } = say('/start')
    await waitForText('Bundlegram')
    const unlock = await lockDatabase(world, tables)
    try {
      const alert = await waitForText(/^⚠️ The database isn’t accepting changes/, { after })
      await world.bot.stop()
      expect((await waitForText(stoppedMeanwhile, { after })).message_id).toBe(alert.message_id)
    } finally {
      await unlock()
      await world.close()
    }
  },
)

test.runIf(testedKind === 'sqlite')(
  'in webhook mode a message that cannot be kept is refused, so that Telegram delivers it again',
  async () => {
    const world = await createWorld({ process: true, env: { TELEGRAM_UPDATES: 'webhook' } })
    try {
      const reseller = await world.newReseller()
      const phone = newPhone()
      const unlock = await lockDatabase(world, tables)
      const isDown = async () => (await fetch(`${world.botUrl}/readyz`)).status === 503
      await world.until(isDown, '/readyz to be 503')
      reseller.chat.say(`${phone} 2GB`)
      await reseller.chat.waitForText(kept)
      await unlock()
      await reseller.chat.waitForText(new RegExp(`${asksToConfirm}[\\s\\S]*${phone}`))
      expect(reseller.chat.texts().filter((text) => text === kept)).toHaveLength(1)
    } finally {
      await world.close()
    }
  },
)
