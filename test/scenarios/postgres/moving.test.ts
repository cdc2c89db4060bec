import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, runCommand } from '../../support/bot/command.ts'
import { newFolder } from '../../support/folder.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { newConnected } from '../accounts/members.ts'
import { askFor, debitsOf, newPhone, order, ordersFor, place, placementOf, postsFor } from '../shop.ts'

const posts = (world: World): number =>
  world.provider.requests().filter(({ method }) => method === 'POST').length

describe('a bot whose database was moved to PostgreSQL', () => {
  let world: World
  let folder: string
  let file: string
  let moved: Ended
  /** Resellers who have an order in different states when the bot is stopped. */
  let drafts: Reseller
  let queues: Reseller
  let loses: Reseller
  let places: Reseller
  const phones = { draft: newPhone(), queued: newPhone(), lost: newPhone(), placed: newPhone() }
  let postsBefore: number

  beforeAll(async () => {
    folder = await newFolder()
    file = `file:${folder}/bundlegram.db`
    world = await createWorld({
      process: true,
      env: { DATABASE_URL: file },
    })
    ;[drafts, queues, loses, places] = (await Promise.all(
      Array.from({ length: 4 }, () => newConnected(world)),
    )) as [Reseller, Reseller, Reseller, Reseller]
    await askFor(drafts, phones.draft)
    await place(world, places, phones.placed)
    world.provider.addFault({ kind: 'callback_never', account: loses.account.id })
    world.provider.addFault({ kind: 'answer_lost', account: loses.account.id })
    await order(loses, phones.lost)
    await loses.chat.waitForText(/unconfirmed/)
    world.provider.addFault({ kind: 'rate_limited', account: queues.account.id, retryAfter: '600' })
    await order(queues, phones.queued)
    await queues.chat.waitForText(/reached the provider’s request limit/)
    await world.bot.stop()
    postsBefore = posts(world)
    moved = await runCommand('db-move', ['--from', file], { DATABASE_URL: world.databaseUrl })
  })
  afterAll(async () => {
    await world?.close()
    await rm(folder, { recursive: true })
  })

  test('does not start on the old database', async () => {
    expect(moved).toMatchObject({ code: 0 })
    await expect(world.bot.start()).rejects.toThrow(
      /DATABASE_URL: this database was moved to another one.*Start on that one/,
    )
  })

  test('starts on the new database with everything it knew, and sends nothing that was waiting', async () => {
    await world.bot.start({ DATABASE_URL: world.databaseUrl })
    expect(placementOf(world, phones.placed)).toEqual(['placed'])
    await drafts.chat.waitForText(/expired[\s\S]*nothing was ordered/)
    await queues.chat.waitForText(/unconfirmed[\s\S]*on’t order again/)
    expect(placementOf(world, phones.queued)).toEqual(['unconfirmed'])
    expect(posts(world)).toBe(postsBefore)
    expect(debitsOf(world, queues)).toEqual([])
  })

  test('pairs an order that was unconfirmed with the only debit that fits it', async () => {
    await loses.chat.waitForText(
      /(?:placed(?: after all)?, charged GHS 9\.60 once|one charge of GHS 9\.60 matches this order)/,
    )
    expect(debitsOf(world, loses)).toHaveLength(1)
    expect(postsFor(world, phones.lost)).toHaveLength(1)
  })

  test('still gets callbacks about earlier orders at their old addresses', async () => {
    world.provider.setStatus(ordersFor(world, phones.placed)[0]?.reference ?? '', 'delivered')
    await places.chat.waitForText(/: delivered/)
    expect(debitsOf(world, places)).toHaveLength(1)
  })

  test('takes new orders', async () => {
    const phone = newPhone()
    await place(world, drafts, phone)
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(debitsOf(world, drafts)).toHaveLength(1)
    expect(posts(world)).toBe(postsBefore + 1)
  })
})
