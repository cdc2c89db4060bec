import type { ProviderAccountState, ProviderOrderState } from '../../src/sandbox/provider/index.ts'
import type { TestChat } from '../../src/sandbox/telegram/chat.ts'
import { asksToConfirm } from '../../src/telegram/texts/draft.ts'
import type { Stage } from './stage.ts'

/** Somebody with an account of their own. */
export interface Customer {
  chat: TestChat
  account: ProviderAccountState
}

/** A wait that includes the start of the bot, or its pace when many do this at once. */
const patient = { timeoutMs: 60_000 }

export const connect = async (stage: Stage): Promise<Customer> => {
  const chat = stage.newChat()
  const account = stage.provider.addAccount({ accountType: 'agent', balancePesewas: 1_000_000 })
  chat.say('/connect')
  await chat.waitForText('API key', patient)
  chat.say(`${account.apiKey}\n${account.apiSecret}`)
  await chat.waitForText('Connected', patient)
  return { chat, account }
}

/** Buys for the number in one go, and confirms. @returns the order as the provider has it, being processed */
export const buy = async (
  stage: Stage,
  { chat, account }: Customer,
  phone: string,
): Promise<ProviderOrderState> => {
  const said = chat.say(`${phone} 1GB`)
  await chat.waitForText(asksToConfirm, { ...patient, after: said.message_id })
  chat.press('Confirm')
  await chat.waitForText(/processing[\s\S]*BUD-API-/, { ...patient, after: said.message_id })
  const order = stage.provider
    .orders()
    .find(({ accountId, phones }) => accountId === account.id && phones.some((each) => each.phone === phone))
  if (!order) throw new Error('The provider has no order for that number.')
  return order
}

/** The whole way of one order, from the first message to the word that it was delivered. */
export const journey = async (stage: Stage): Promise<void> => {
  const customer = await connect(stage)
  const { reference } = await buy(stage, customer, '0241234567')
  stage.provider.setStatus(reference, 'delivered')
  await customer.chat.waitForText(/for 0241234567: delivered/, patient)
}

/** The person's messages and presses on that way: `/connect`, the credentials, the order, `Confirm`. */
export const updatesOfJourney = 4
