// @module-tag screens
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { inDatabase, newPhone, place, shareLink } from '../shop.ts'

/** Links that are guessed, passed on, or tried one after the other. */

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

const invite = async ({ chat }: Reseller): Promise<string> => {
  const { message_id: after } = chat.say('/agents')
  await chat.waitForText('Agents', { after })
  chat.press('✉️ Invite')
  const { text = '' } = await chat.waitForText(invitationTitle, { after })
  return /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(text)?.[0] ?? ''
}

const agentsOf = ({ id }: Reseller): number[] =>
  inDatabase(world, (db) =>
    db
      .prepare(
        `SELECT userId FROM Member WHERE role = 'agent'
          AND accountId = (SELECT accountId FROM Member WHERE userId = ?)`,
      )
      .all(id)
      .map(({ userId }) => Number(userId)),
  )

const linkOf = (payload: string): string =>
  `https://t.me/${world.telegram.state().bot.username}?start=${payload}`

test('an invitation that many people accept at the same time lets in exactly one, and everybody gets an answer', async () => {
  const owner = await world.newReseller()
  const url = await invite(owner)
  const people = Array.from({ length: 15 }, () => world.newPerson())
  for (const { id } of people) world.telegram.openLink(id, url)
  await Promise.all(people.map(({ chat }) => chat.waitForButton('Join')))
  expect(agentsOf(owner)).toEqual([])
  for (const { chat } of people) chat.press('Join')
  const answers = await Promise.all(
    people.map(({ chat }) => chat.waitForText(/You can order now|Somebody has already used this invitation/)),
  )
  const welcomed = people.filter((_, index) => answers[index]?.text?.includes(orderNowPhrase))
  expect(welcomed).toHaveLength(1)
  expect(agentsOf(owner)).toEqual(welcomed.map(({ id }) => id))
  await owner.chat.waitForText('accepted your invitation')
  expect(owner.chat.texts().filter((text) => text.includes('accepted your invitation'))).toHaveLength(1)
})

test('links of invitations and shared orders cannot be guessed, and an altered genuine link opens nothing', async () => {
  const owner = await world.newReseller()
  const phone = newPhone()
  await place(world, owner, phone)
  const [invitation, shared] = [await invite(owner), await shareLinkOfNewest(owner)]
  const altered = [invitation, shared].flatMap((url) => {
    const payload = new URL(url).searchParams.get('start') ?? ''
    const last = payload.at(-2) === 'A' ? 'B' : 'A'
    return [
      payload.slice(0, -1),
      `${payload.slice(0, -2)}${last}${payload.at(-1)}`,
      payload.toLowerCase(),
      `${payload[0]}${payload.slice(1, 23)}${'A'.repeat(payload.length - 23)}`,
    ]
  })
  const guessed = Array.from({ length: 6 }, (_, index) => {
    const word = randomBytes(24).toString('base64url')
    return `${'asi'[index % 3]}${word}`
  })
  const answers: string[] = []
  for (const payload of [...altered, ...guessed, 'a', 's', 'i', 'x', '-_', 'a'.repeat(64)]) {
    const { id, chat } = world.newPerson()
    const { message_id: after } = world.telegram.openLink(id, linkOf(payload))
    answers.push((await chat.waitForText(/./, { after })).text ?? '')
    expect(
      inDatabase(world, (db) => db.prepare('SELECT 1 FROM Follow WHERE chatId = ?').get(id)),
    ).toBeUndefined()
  }
  expect(agentsOf(owner)).toEqual([])
  expect(answers).toContainEqual(expect.stringContaining('I don’t recognise this invitation'))
  expect(answers).toContainEqual(expect.stringContaining('This link is incomplete'))
  expect(answers.join('\n')).not.toMatch(/BUD-(API|BULK)-|•••|You can order now/)
})

const shareLinkOfNewest = async (owner: Reseller): Promise<string> => {
  const { message_id: after } = owner.chat.say('/orders')
  await owner.chat.waitForText(historyTitle, { after })
  owner.chat.press('1')
  await owner.chat.waitForText(/Reference: BUD-/, { after })
  return shareLink(owner)
}

test('nobody can guess references one after another, neither alone nor in group after group', async () => {
  const { id, chat } = world.newPerson()
  const other = world.newPerson()
  const groups = Array.from({ length: 3 }, (_, index) =>
    world.telegram.addGroup({ title: `Market ${index}`, members: [id, other.id] }),
  )
  for (let tried = 0; tried < 20; tried += 1) chat.say(`BUD-API-GUESSED1-${100_000 + tried}`)
  chat.say('BUD-API-GUESSED1-200000')
  await chat.waitForText('Too many look-ups')
  for (const group of groups) {
    world.telegram.say({ from: id, chat: group.id, text: '/status BUD-API-GUESSED1-200001' })
    await world.telegram.waitFor(() =>
      world.telegram.messages(group.id).some(({ text }) => text?.includes('Too many look-ups')),
    )
  }
  const [first] = groups
  // Other members of the group can still look up references.
  world.telegram.say({ from: other.id, chat: first?.id ?? 0, text: '/status BUD-API-GUESSED1-200002' })
  await world.telegram.waitFor(() =>
    world.telegram.messages(first?.id ?? 0).some(({ text }) => text?.includes('BUD-API-GUESSED1-200002')),
  )
})

test('a link that is opened in a group shows nothing there', async () => {
  const owner = await world.newReseller()
  await place(world, owner, newPhone())
  const payloads = [await invite(owner), await shareLinkOfNewest(owner)].map(
    (url) => new URL(url).searchParams.get('start') ?? '',
  )
  const { id } = world.newPerson()
  const group = world.telegram.addGroup({ title: 'Family', members: [id] })
  for (const payload of payloads) {
    const { message_id } = world.telegram.say({ from: id, chat: group.id, text: `/start ${payload}` })
    const answer = await world.telegram.waitFor(() =>
      world.telegram.messages(group.id).find((each) => each.from?.is_bot && each.message_id > message_id),
    )
    expect(answer.text).toContain('private')
    expect(answer.reply_markup).toBeUndefined()
  }
  expect(agentsOf(owner)).toEqual([])
})
