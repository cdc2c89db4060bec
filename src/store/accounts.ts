import type { Pesewas } from '../provider/money.ts'
import type { Account as AccountRow } from './client/client.ts'
import type { Client } from './database.ts'

/** One wallet at the provider, with its credentials as they are sealed. */
export interface Account {
  id: string
  keyHash: string
  sealedKey: string
  sealedSecret: string
  accountType: string | null
  balancePesewas: Pesewas | null
  balanceAt: Date | null
  unauthorizedSince: Date | null
  frozenUntil: Date | null
  callbackSeenAt: Date | null
  eraseBy: Date | null
  auditSince: Date | null
}

/** A chat user attached to an account. */
export interface Member {
  userId: number
  chatId: number
  accountId: string
  role: 'owner' | 'agent'
}

/** A balance above this does not fit the column and is shown without being remembered. */
const mostPesewas = 2_147_483_647

export const accountStore = (client: Client) => ({
  byId: async (id: string): Promise<Account | null> =>
    accountOf(await client.account.findUnique({ where: { id } })),

  byKeyHash: async (hashes: string[]): Promise<Account | null> =>
    accountOf(await client.account.findFirst({ where: { keyHash: { in: hashes } } })),

  /** Some account whose credentials were not erased. */
  anySealed: async (): Promise<Account | null> =>
    accountOf(await client.account.findFirst({ where: { sealedSecret: { not: '' } } })),

  insert: async (
    account: Pick<Account, 'id' | 'keyHash' | 'sealedKey' | 'sealedSecret' | 'accountType'> & { now: Date },
  ): Promise<void> => {
    const { now, ...data } = account
    await client.account.create({ data: { ...data, createdAt: now } })
  },

  /** New credentials of the account: what the old ones were refused for is forgotten, and it is not erased. */
  replaceCredentials: async (
    id: string,
    credentials: Pick<Account, 'keyHash' | 'sealedKey' | 'sealedSecret'>,
  ): Promise<void> => {
    const current = { unauthorizedSince: null, eraseBy: null }
    await client.account.update({ where: { id }, data: { ...credentials, ...current } })
  },

  erase: async (id: string): Promise<void> => {
    await client.account.update({
      where: { id },
      data: {
        keyHash: `erased:${id}`,
        sealedKey: '',
        sealedSecret: '',
        unauthorizedSince: new Date(0),
        eraseBy: null,
      },
    })
  },

  /** Its last owner has left: nothing new is ordered, and it is erased by then. */
  closeBy: async (id: string, eraseBy: Date): Promise<void> => {
    await client.account.update({ where: { id }, data: { eraseBy } })
  },

  /** It is not erased after all. @returns whether it was to be. */
  keep: async (id: string): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, eraseBy: { not: null } },
      data: { eraseBy: null },
    })
    return count === 1
  },

  /** Accounts that are to be erased. */
  closing: async (): Promise<Account[]> => {
    const rows = await client.account.findMany({ where: { eraseBy: { not: null } } })
    return rows.flatMap((row) => accountOf(row) ?? [])
  },

  rememberBalance: async (
    id: string,
    balance: Pesewas,
    at: Date,
    accountType?: string | null,
  ): Promise<void> => {
    if (Math.abs(balance) > mostPesewas) return
    const data = { balancePesewas: balance, balanceAt: at, ...(accountType && { accountType }) }
    await client.account.update({ where: { id }, data })
  },

  freeze: async (id: string, until: Date): Promise<void> => {
    await client.account.update({ where: { id }, data: { frozenUntil: until } })
  },

  /** @returns whether this was the first refusal, which is to be told. */
  markUnauthorized: async (id: string, now: Date): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, unauthorizedSince: null },
      data: { unauthorizedSince: now },
    })
    return count === 1
  },

  markAuthorized: async (id: string): Promise<void> => {
    await client.account.updateMany({
      where: { id, unauthorizedSince: { not: null }, sealedKey: { not: '' } },
      data: { unauthorizedSince: null },
    })
  },

  sawCallback: async (id: string, at: Date): Promise<void> => {
    await client.account.updateMany({ where: { id }, data: { callbackSeenAt: at } })
  },

  member: async (userId: number): Promise<Member | null> => {
    const row = await client.member.findUnique({ where: { userId: BigInt(userId) } })
    return row && memberOf(row)
  },

  members: async (accountId: string): Promise<Member[]> =>
    (await client.member.findMany({ where: { accountId } })).map(memberOf),

  attach: async (member: Member, now: Date): Promise<void> => {
    const { accountId, role } = member
    const [userId, chatId] = [BigInt(member.userId), BigInt(member.chatId)]
    await client.member.upsert({
      where: { userId },
      create: { userId, chatId, accountId, role, createdAt: now },
      update: { chatId, accountId, role },
    })
  },

  detach: async (userId: number): Promise<void> => {
    await client.member.deleteMany({ where: { userId: BigInt(userId) } })
  },
})

export type AccountStore = ReturnType<typeof accountStore>

const accountOf = (row: AccountRow | null): Account | null =>
  row && { ...row, balancePesewas: row.balancePesewas as Pesewas | null }

const memberOf = (row: { userId: bigint; chatId: bigint; accountId: string; role: string }): Member => ({
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  accountId: row.accountId,
  role: row.role === 'agent' ? 'agent' : 'owner',
})
