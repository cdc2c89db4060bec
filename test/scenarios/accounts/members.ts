import type { AgentPrices } from '../../../src/domain/selling/price-rule.ts'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { agentLabels } from '../../../src/telegram/cards/words/team.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import type { Reseller, World } from '../../support/world.ts'
import { changeDatabase, inDatabase } from '../shop.ts'

/** The account that somebody belongs to, as the bot names it. */
export const accountIdOf = (world: World, { id }: { id: number }): string =>
  inDatabase(world, (database) =>
    String(database.prepare('SELECT accountId FROM Member WHERE userId = ?').get(id)?.accountId),
  )

/** Makes somebody a member directly in the database. */
export const addMember = async (
  world: World,
  owner: Reseller,
  role: 'owner' | 'agent' = 'agent',
): Promise<Reseller> => {
  const person = world.newPerson()
  const accountId = accountIdOf(world, owner)
  // An owner may remove only members who joined later, so this time must not equal the owner's.
  const joinedAt = new Date(Date.now() + 1).toISOString().replace('Z', '+00:00')
  await changeDatabase(world, (database) =>
    database
      .prepare(
        `INSERT INTO Member (userId, accountId, chatId, role, createdAt, notifyLevel) VALUES (?, ?, ?, ?, ?, 'problems')`,
      )
      .run(person.id, accountId, person.id, role, joinedAt),
  )
  return { ...person, account: owner.account }
}

/** A person who connects a new account in their chat. */
export const newConnected = async (world: World, balancePesewas = 50_000): Promise<Reseller> => {
  const account = world.provider.addAccount({ accountType: 'agent', balancePesewas })
  const person = world.newPerson()
  const { message_id: after } = person.chat.say(`/connect ${account.apiKey} ${account.apiSecret}`)
  await person.chat.waitForText(nowConnected, { after })
  return { ...person, account }
}

/** Shows an owner the account's owners, each with a button if they may remove them. */
export const showOwners = async ({ chat }: Pick<Reseller, 'chat'>): Promise<void> => {
  const { message_id: after } = chat.say('/agents')
  await chat.waitForText(/Owners\n/, { after })
  chat.press(agentLabels.more)
  await chat.waitForButton(agentLabels.owners)
  chat.press(agentLabels.owners)
  await chat.waitForButton(labels.back)
}

/** Opens an invitation and presses `Join`. */
export const joinBy = async (
  world: World,
  { id, chat }: Pick<Reseller, 'id' | 'chat'>,
  url: string,
): Promise<void> => {
  const { message_id: after } = world.telegram.openLink(id, url)
  await chat.waitForText('Join as an agent?', { after })
  chat.press('Join')
}

/** Sets which prices the agents see, directly in the database. */
export const letAgentsSee = async (world: World, owner: Reseller, prices: AgentPrices): Promise<void> => {
  const accountId = accountIdOf(world, owner)
  await changeDatabase(world, (database) =>
    database
      .prepare(
        `INSERT INTO "Shop" ("accountId", "agentPrices") VALUES (?, ?)
         ON CONFLICT ("accountId") DO UPDATE SET "agentPrices" = excluded."agentPrices"`,
      )
      .run(accountId, prices),
  )
}
