// @module-tag screens
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SecurityKind } from '../../../src/accounts/security-trail.ts'
import { type ActOf, type ButtonPress, encodePress } from '../../../src/telegram/buttons/table.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { settingsLabels } from '../../../src/telegram/features/settings/words.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { eventsKept, operatorId, operatorOf } from '../operating/operator.ts'
import { changeDatabase } from '../shop.ts'
import { accountIdOf, addMember, newConnected } from './members.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
})
afterAll(() => world?.close())

const kinds = (): string[] => eventsKept(world)

test('security events are shown to owners and operators, and each is a line in the log', async () => {
  const owner = await newConnected(world)
  const press = async (label: string, awaited: string | RegExp) => {
    const { message } = await owner.chat.waitForButton(label)
    owner.chat.press(label)
    return owner.chat.waitForText(awaited, { after: message.message_id - 1 })
  }

  const guesser = world.newPerson()
  guesser.chat.say(`/connect ${owner.account.apiKey} not-the-secret`)
  await guesser.chat.waitForText('refused this key and secret')
  guesser.chat.say('c3ab8ff13720e8ad9047dd39466b3c89')
  await guesser.chat.waitForText('That looks like an API key or secret.')
  world.telegram.press({ from: guesser.id, messageId: 1, data: 'forged:data', stale: true })

  owner.chat.say('/agents')
  await press('✉️ Invite', invitationTitle)
  owner.chat.say('/export')
  await owner.chat.waitForText('What should be in it?')
  await press('🧾 Orders', /Which days/)
  await press('Today', 'What kind of file?')
  owner.chat.press('CSV')
  await world.until(() => kinds().includes('exported'), 'the export to be noted')

  const operator = operatorOf(world)
  await operator.pause()
  await operator.resume()
  await world.until(
    () => kinds().includes('orders_resumed') && kinds().includes('forged_press'),
    'all to be noted',
  )
  expect(new Set(kinds())).toEqual(
    new Set([
      ...kinds().filter((kind) => kind === 'connected'),
      'wrong_credentials',
      'secret_typed',
      'forged_press',
      'invited',
      'exported',
      'orders_paused',
      'orders_resumed',
    ]),
  )

  owner.chat.say('/settings')
  await owner.chat.waitForText('Your settings')
  await press(settingsLabels.more, 'Your settings')
  const shown = await press('🔐 Security', 'What happened to your account here')
  for (const words of [
    'connected (owner) · you',
    'wrong secret for the API key · somebody',
    'invitation made · you',
    'exported orders (csv) · you',
  ])
    expect(shown.text).toContain(words)
  expect(shown.text).not.toContain('orders paused')
  const all = await operator.go(['🔐 Security'], 'Security events')
  expect(all.text).toContain('✅ No entries have been changed.')
  expect(all.text).toContain('all orders paused')

  await changeDatabase(world, (db) =>
    db.prepare("UPDATE SecurityEvent SET detail = 'x' WHERE kind = 'exported'").run(),
  )
  const broken = await operator.go(['🔐 Security'], 'was changed or added in the database')
  expect(broken.text).toContain('⚠️ Entry ')
  const output = world.bot.output()
  expect(output.match(/"a security event"/g)?.length).toBe(kinds().length)
  for (const id of [owner.id, guesser.id]) expect(output).not.toContain(`"userId":${id}`)
})

/** Presses a button by its data, as if it were on some message. */
const presses = (from: number, button: ButtonPress): void => {
  world.telegram.press({ from, messageId: 1, data: encodePress(button), stale: true })
}

interface Cause {
  kinds: SecurityKind[]
  by(owner: Reseller): unknown
}

const agentWho = async (owner: Reseller, does: (agent: Reseller) => ActOf<'agents'>): Promise<void> =>
  presses(owner.id, { do: 'agents', act: does(await addMember(world, owner)) })

const chosenByOperator = (act: ActOf<'operator'>) => presses(operatorId, { do: 'operator', act })

const causes: Cause[] = [
  {
    kinds: ['agent_limit'],
    by: (owner) => agentWho(owner, ({ id }) => ({ act: 'set_limit', id, pesewas: null })),
  },
  {
    kinds: ['agent_networks'],
    by: (owner) => agentWho(owner, ({ id }) => ({ act: 'network', id, network: 'MTN', allowed: false })),
  },
  {
    kinds: ['agent_prices'],
    by: ({ id }) => presses(id, { do: 'agents', act: { act: 'set_prices', prices: 'cost' } }),
  },
  {
    kinds: ['agent_paused', 'agent_resumed'],
    by: async (owner) => {
      const { id } = await addMember(world, owner)
      presses(owner.id, { do: 'agents', act: { act: 'pause', id, paused: true } })
      await kept(owner, 'agent_paused')
      presses(owner.id, { do: 'agents', act: { act: 'pause', id, paused: false } })
    },
  },
  {
    kinds: ['agent_removed', 'left'],
    by: (owner) => agentWho(owner, ({ id }) => ({ act: 'remove_sure', id })),
  },
  {
    kinds: ['owner_removed', 'left'],
    by: async (owner) => {
      const { id } = await addMember(world, owner, 'owner')
      presses(owner.id, { do: 'agents', act: { act: 'remove_owner_sure', id } })
    },
  },
  {
    kinds: ['invited', 'invitation_revoked'],
    by: async (owner) => {
      presses(owner.id, { do: 'agents', act: { act: 'invite' } })
      await kept(owner, 'invited')
      presses(owner.id, { do: 'agents', act: { act: 'revoke_all' } })
    },
  },
  {
    kinds: ['exported'],
    by: async ({ id, chat }) => {
      chat.say('/customers')
      await chat.waitForText('Customers')
      chat.say('Kofi 0241234567')
      await chat.waitForText('Kofi')
      presses(id, { do: 'contacts', act: { act: 'export' } })
    },
  },
  {
    kinds: ['credentials_replaced'],
    by: async (owner) => {
      const { id, apiSecret } = owner.account
      owner.account = world.provider.setAccount(id, { apiSecret: `${apiSecret}-2` })
      owner.chat.say(`/connect ${owner.account.apiKey} ${owner.account.apiSecret}`)
    },
  },
  {
    kinds: ['credentials_refused'],
    by: ({ chat, account }) => {
      world.provider.setAccount(account.id, { disabled: true })
      chat.say('/balance')
    },
  },
  {
    kinds: ['data_deleted', 'account_erased'],
    by: (owner) =>
      presses(owner.id, {
        do: 'settings',
        act: { act: 'forget_sure', when: 'now', accountId: accountIdOf(world, owner) },
      }),
  },
]

/** Waits for an event about the account of an owner. */
const kept = async (owner: Reseller, kind: SecurityKind, before: readonly string[] = []): Promise<void> => {
  const count = (all: readonly string[]) => all.filter((each) => each === kind).length
  await world.until(() => count(kinds()) > count(before), `${kind} to be noted for ${owner.id}`)
}

test.for(causes)('the security trail records events of the kinds $kinds', async ({ kinds: expected, by }) => {
  const owner = await world.newReseller()
  const before = kinds()
  await by(owner)
  for (const kind of expected) await kept(owner, kind, before)
})

test('the security trail records each chat that operators block and each network that they switch on or off', async () => {
  const chatId = world.newPerson().id
  for (const [kind, act] of [
    ['chat_blocked', { act: 'block_sure', chatId }],
    ['chat_unblocked', { act: 'unblock', chatId }],
    ['network_down', { act: 'network_down_sure', network: 'BigTime' }],
    ['network_back', { act: 'network_back', network: 'BigTime' }],
  ] as const) {
    chosenByOperator(act)
    await world.until(() => kinds().at(-1) === kind, `${kind} to be noted`)
  }
})

test('an invitation above the limit, or a button that changes nothing, leaves no security event', async () => {
  const owner = await world.newReseller()
  const made = () => kinds().filter((kind) => kind === 'invited').length
  const first = made()
  const invite = () => presses(owner.id, { do: 'agents', act: { act: 'invite' } })
  for (let times = 0; times < 10; times += 1) invite()
  await world.until(() => made() === first + 10, 'ten to be noted')
  const before = kinds()
  invite()
  chosenByOperator({ act: 'network_back', network: 'BigTime' })
  const { message_id: after } = owner.chat.say('/agents')
  await owner.chat.waitForText('10 invitations are open', { after })
  expect(kinds()).toEqual(before)
})

test('a webhook that a thief of the bot’s token sets is removed, and operators are told', async () => {
  const operator = operatorOf(world)
  const { message_id: after } = await operator.open()
  const thief = await fetch(
    `${world.telegram.url}/bot${world.telegram.token}/setWebhook?url=http://127.0.0.1:9/thief`,
  )
  expect(thief.status).toBe(200)
  const told = await operator.chat.waitForText('to another address: 127.0.0.1:9', { after })
  expect(told.text).toContain('Make a new one with @BotFather (/revoke)')
  expect(kinds()).toContain('token_misused')
  const person = world.newPerson()
  person.chat.say('/help')
  await person.chat.waitForText(helpTitle)
})
