// @module-tag screens
import { describe } from 'vitest'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { needAccount } from '../../../src/telegram/words/unusable.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { addMember, joinBy } from './members.ts'

/**
 * The bot reads once per update who the sender is. These tests change that by one message, and check that the next
 * message is handled with the new data.
 */

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

type Somebody = Pick<Reseller, 'id' | 'chat'>

const commands = ({ id }: Somebody): string[] =>
  world.telegram.chat(id).commands.map(({ command }) => command)

const menuIs = (somebody: Somebody, of: 'stranger' | 'agent' | 'owner'): Promise<unknown> =>
  world.telegram.waitFor(
    () =>
      commands(somebody).includes('customers') === (of !== 'stranger') &&
      commands(somebody).includes('agents') === (of === 'owner'),
    { message: `Waiting for the menu of: ${of}` },
  )

/** Waits until the person has the menu of that role. */
const greeted = async (somebody: Reseller, of: 'agent' | 'owner'): Promise<Reseller> => {
  const { message_id: after } = somebody.chat.say('/help')
  await somebody.chat.waitForText(helpTitle, { after })
  await menuIs(somebody, of)
  return somebody
}

const leave = async ({ chat }: Somebody): Promise<void> => {
  const { message_id: after } = chat.say('/disconnect')
  await chat.waitForText(/Remove your account|Stop ordering/, { after })
  chat.press('Confirm')
}

const isStranger = async ({ chat }: Somebody): Promise<void> => {
  const { message_id: after } = chat.say('/balance')
  await chat.waitForText(needAccount, { after })
}

describe('a member who leaves is treated as a stranger from the next message on', () => {
  test('if the member is the account’s only owner', async () => {
    const owner = await greeted(await world.newReseller(), 'owner')
    await leave(owner)
    await menuIs(owner, 'stranger')
    await isStranger(owner)
  })

  test('if the member is an owner and another owner remains', async () => {
    const owner = await world.newReseller()
    const second = await greeted(await addMember(world, owner, 'owner'), 'owner')
    await leave(second)
    await menuIs(second, 'stranger')
    await isStranger(second)
  })

  test('if the member is an agent', async () => {
    const agent = await greeted(await addMember(world, await world.newReseller()), 'agent')
    await leave(agent)
    await menuIs(agent, 'stranger')
    await isStranger(agent)
  })
})

test('a person who joins by an invitation is treated as an agent from the next message on', async () => {
  const owner = await world.newReseller()
  const { message_id: after } = owner.chat.say('/agents')
  await owner.chat.waitForText('Agents', { after })
  owner.chat.press('✉️ Invite')
  const { text = '' } = await owner.chat.waitForText(invitationTitle, { after })
  const guest = world.newPerson()
  await joinBy(world, guest, /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(text)?.[0] ?? '')
  await guest.chat.waitForText(orderNowPhrase)
  await greeted({ ...guest, account: owner.account }, 'agent')
})

test('an owner who switches to another account sees its balance from the next message on', async () => {
  const owner = await greeted(await world.newReseller(12_300), 'owner')
  const other = world.provider.addAccount({ balancePesewas: 45_600 })
  const { message_id: after } = owner.chat.say(`/connect ${other.apiKey} ${other.apiSecret}`)
  await world.telegram.waitFor(() => owner.chat.button('Switch'))
  owner.chat.press('Switch')
  await owner.chat.waitForText(nowConnected, { after })
  const { message_id: asked } = owner.chat.say('/balance')
  await owner.chat.waitForText('456.00', { after: asked })
})
