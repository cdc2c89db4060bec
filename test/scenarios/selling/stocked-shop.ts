import type { Message } from 'grammy/types'
import { newId } from '../../../src/database/id.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { chatOf } from '../../../src/sandbox/index.ts'
import { orderNowPhrase } from '../../../src/telegram/cards/words/agent-permissions.ts'
import { questionSent, sendQuestion } from '../../../src/telegram/cards/words/enquiry.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { agentLabels } from '../../../src/telegram/cards/words/team.ts'
import { invitationTitle } from '../../../src/telegram/features/agents/invitation-words.ts'
import type { Inside } from '../../support/inside.ts'
import type { Reseller, World } from '../../support/world.ts'
import type { Ids } from '../accounts/every-button.ts'
import { joinBy } from '../accounts/members.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  inDatabase,
  newPhone,
  ordersFor,
  place,
  shareLink,
} from '../shop.ts'

const cost = 17_37
const bundleId = 2
const savedName = 'Thusnelda'
const question = 'Is it with me yet'

/** A shop that has one of each thing that a button can name. */
export interface StockedShop {
  owner: Reseller
  /** A former agent with their orders. */
  removed: { id: number; ids: Ids }
  contact: { id: number }
  /** The id of another shop's account. */
  otherId: string
  ids: Ids
  /** The words that nobody else may see. */
  secrets: string[]
}

const newest = ({ chat }: Pick<Reseller, 'chat'>): number => chat.last()?.message_id ?? 0

export const say = (
  { chat }: Pick<Reseller, 'chat'>,
  text: string,
  awaited: string | RegExp,
): Promise<Message> => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(awaited, { after })
}

const press = (
  { chat }: Pick<Reseller, 'chat'>,
  label: string,
  awaited: string | RegExp,
): Promise<Message> => {
  chat.press(label)
  return chat.waitForText(awaited)
}

export const one = (db: Inside, query: string, ...values: (string | number)[]): Record<string, unknown> => {
  const row = db.prepare(query).get(...values)
  if (!row) throw new Error(`Nothing answers ${query}`)
  return row
}

const purchaseOf = (world: World, phone: string): string =>
  inDatabase(world, (db) =>
    String(one(db, 'SELECT id FROM Purchase WHERE lines LIKE ? ORDER BY createdAt DESC', `%${phone}%`).id),
  )
const listPurchaseOf = (world: World, phone: string): string =>
  inDatabase(world, (db) =>
    String(one(db, 'SELECT purchaseId AS id FROM List WHERE text LIKE ?', `%${phone}%`).id),
  )
const orderOf = (world: World, phone: string): string =>
  inDatabase(world, (db) => String(one(db, 'SELECT orderId AS id FROM Recipient WHERE phone = ?', phone).id))

/** Places a single order and a list, and leaves a draft of each. @returns the ids of all four. */
const orderAll = async (world: World, person: Reseller, phones: string[]) => {
  const [single = '', first = '', second = '', draft = '', third = '', fourth = ''] = phones
  await place(world, person, single)
  const list = await say(person, `${first} 2GB\n${second} 2GB`, '2 to order')
  person.chat.press('Confirm')
  await cardReads(world, person, list, /processing/)
  await askFor(person, draft)
  await say(person, `${third} 2GB\n${fourth} 2GB`, '2 to order')
  return {
    orderId: orderOf(world, single),
    listId: listPurchaseOf(world, first),
    draftId: purchaseOf(world, draft),
    listDraftId: listPurchaseOf(world, third),
  }
}

const invite = async (owner: Reseller): Promise<string> => {
  await say(owner, '/agents', 'Agents')
  const after = newest(owner)
  owner.chat.press('✉️ Invite')
  const { text = '' } = await owner.chat.waitForText(invitationTitle, { after })
  return /https:\/\/t\.me\/\S+start=a[\w-]+/.exec(text)?.[0] ?? ''
}

const newAgent = async (world: World, owner: Reseller, name: string): Promise<Reseller> => {
  const { id } = world.telegram.addPerson({ first_name: name })
  const chat = chatOf(world.telegram, id)
  await joinBy(world, { id, chat }, await invite(owner))
  await chat.waitForText(orderNowPhrase)
  return { id, chat, account: owner.account }
}

export const openStockedShop = async (world: World): Promise<StockedShop> => {
  const owner = await world.newReseller(913_71)
  world.provider.setAccount(owner.account.id, { prices: { [bundleId]: cost } })
  const other = await world.newReseller()
  await say(owner, '/prices', 'Set prices')
  await press(owner, 'Set prices', 'How much do you want to add')
  await say(owner, '+2', 'Saved')
  await say(owner, '/cancel', 'Cancelled')
  const phones = Array.from({ length: 6 }, () => newPhone())
  await say(owner, `${savedName} ${phones[0]}`, 'Saved')
  const ordered = await orderAll(world, owner, phones)
  await say(owner, '/customers', savedName)
  await say(owner, `every Monday 3:17am: ${savedName} 2GB`, 'Next: ')

  const { id: contactId, chat } = world.newPerson()
  const contact = { id: contactId, chat }
  await say(owner, ordersFor(world, phones[0] ?? '')[0]?.reference ?? '', 'Reference: ')
  world.telegram.openLink(contactId, await shareLink(owner))
  await chat.waitForText(followsOpen)
  await press(contact, 'Ask the shop', sendQuestion)
  await say(contact, question, questionSent)
  await owner.chat.waitForText(question)

  const agent = await newAgent(world, owner, 'Ama')
  const leaver = await newAgent(world, owner, 'Yaw')
  const leaversPhones = Array.from({ length: 6 }, () => newPhone())
  const leaversIds = await orderAll(world, leaver, leaversPhones)
  await say(owner, '/agents', 'Yaw')
  await press(owner, 'Yaw', 'Agent since')
  await owner.chat.waitForButton(agentLabels.more)
  owner.chat.press(agentLabels.more)
  await owner.chat.waitForButton('🗑 Remove')
  owner.chat.press('🗑 Remove')
  await owner.chat.waitForButton('Remove now')
  owner.chat.press('Remove now')
  await owner.chat.waitForText('has been removed and can’t order')
  await invite(owner)

  const complaintId = newId()
  await changeDatabase(world, (db) =>
    db
      .prepare(
        `INSERT INTO Complaint (id, orderId, accountId, raisedBy, kind, createdAt, expiresAt, openFor)
         SELECT ?, id, accountId, ?, 'nothing', createdAt, ?, id FROM "Order" WHERE id = ?`,
      )
      .run(complaintId, contactId, new Date(Date.now() + 60 * 60_000).toISOString(), ordered.orderId),
  )

  const rows = inDatabase(world, (db) => ({
    accountId: String(one(db, 'SELECT accountId AS id FROM Member WHERE userId = ?', owner.id).id),
    otherId: String(one(db, 'SELECT accountId AS id FROM Member WHERE userId = ?', other.id).id),
    contactId: String(one(db, 'SELECT id FROM Contact').id),
    changeId: String(one(db, 'SELECT id FROM BookChange').id),
    reminderId: String(one(db, 'SELECT id FROM Reminder').id),
    enquiryId: String(one(db, 'SELECT id FROM Enquiry').id),
    invitation: String(one(db, 'SELECT tokenHash AS id FROM Invitation WHERE usedAt IS NULL').id).slice(
      0,
      16,
    ),
  }))
  const { otherId, ...kept } = rows
  const ids: Ids = {
    ...kept,
    ...ordered,
    complaintId,
    agentId: agent.id,
    bundleId,
    phone: newPhone() as Phone,
  }
  return {
    owner,
    removed: { id: leaver.id, ids: { ...ids, ...leaversIds } },
    contact,
    otherId,
    ids,
    secrets: [
      ...phones,
      savedName,
      question,
      owner.account.apiKey,
      owner.account.apiSecret,
      ...world.provider
        .transactions(owner.account.id)
        .map(({ balanceAfterPesewas }) => (balanceAfterPesewas / 100).toFixed(2)),
    ],
  }
}
