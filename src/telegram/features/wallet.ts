import { NoWallet } from '../../accounts/wallets.ts'
import { type Provider, ProviderError } from '../../provider/index.ts'
import type { BotContext } from '../context.ts'
import { personOf } from '../person.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import * as texts from '../texts.ts'
import { when } from '../time.ts'

const { labels } = texts
const entriesPerPage = 8

/** `/balance`, read now. */
export const balance = async (ctx: BotContext, services: Services): Promise<void> => {
  await read(ctx, services, 'the balance', async (provider, accountId) => {
    const { balancePesewas, accountType } = await provider.balance()
    const at = services.now()
    await services.store.accounts.rememberBalance(accountId, balancePesewas, at, accountType)
    return {
      text: texts.balance(balancePesewas, accountType, at, at),
      rows: [
        [key(labels.refresh, { do: 'balance' }), key(labels.transactions, { do: 'transactions', page: 1 })],
        [key(labels.buy, { do: 'networks' }), key(labels.home, { do: 'home' })],
      ],
    }
  })
}

/** `/transactions`, a page of the wallet's entries as the provider lists them. */
export const transactions = async (ctx: BotContext, services: Services, page: number): Promise<void> => {
  await read(ctx, services, 'the wallet entries', async (provider) => {
    const { transactions: entries, pagination } = await provider.transactions({
      page,
      perPage: entriesPerPage,
    })
    const pages = pagination?.lastPage ?? page
    const lines = entries.map((entry) =>
      texts.transactionLine({ ...entry, at: entry.createdAt ? when(entry.createdAt, services.now()) : '' }),
    )
    const paging: Key[] = [
      ...(page > 1 ? [key(labels.previous, { do: 'transactions', page: page - 1 })] : []),
      ...(page < pages ? [key(labels.next, { do: 'transactions', page: page + 1 })] : []),
    ]
    return {
      text: texts.transactions(lines, page, pages),
      rows: [paging, [key(labels.home, { do: 'home' })]],
    }
  })
}

/** Asks the provider for the person and shows the answer; what cannot be read is said. */
const read = async (
  ctx: BotContext,
  services: Services,
  what: string,
  question: (provider: Provider, accountId: string) => Promise<Screen>,
): Promise<void> => {
  const person = await personOf(ctx, services)
  if (!person) {
    ctx.talk.show(texts.needAccount)
    return
  }
  ctx.talk.aside(async () => {
    try {
      const { accountId } = person
      ctx.talk.show(
        await services.wallets.ask(accountId, 'person', (provider) => question(provider, accountId)),
      )
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof NoWallet)) throw error
      services.onNotice()
      ctx.talk.say(texts.cannotRead(what, error))
    }
  })
}
