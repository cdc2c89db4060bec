import type { Pesewas } from '../provider/money.ts'
import type { Account as AccountRow, Member as MemberRow } from './client/client.ts'
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
  /** Since when the provider refuses the credentials; see `accounts/refusal.ts`. */
  unauthorizedSince: Date | null
  /** When a balance read was refused too, and the owners were told. */
  refusalToldAt: Date | null
  /** When a balance read tries refused credentials next. */
  verifyAt: Date | null
  frozenUntil: Date | null
  callbackSeenAt: Date | null
  eraseBy: Date | null
  /** Since when all of it is to be forgotten; it stays so when the credentials are erased. */
  forgetAt: Date | null
  auditSince: Date | null
}

/** Its credentials are gone. */
export const isErased = (account: Account | null): boolean => !account?.sealedSecret

/** Its last owner has left: nothing new is ordered on it. */
export const isLeft = (account: Account | null): boolean => isErased(account) || account?.eraseBy !== null

/** A chat user attached to an account. */
export interface Member {
  userId: number
  chatId: number
  accountId: string
  role: 'owner' | 'agent'
  createdAt: Date
  /** As Telegram told it when they became a member. */
  name: string | null
  /** What follows is set for an agent alone: the owner who invited them, to whom their orders are reported. */
  invitedBy: number | null
  /** The most that their orders of one day may cost, in all; null: no limit. */
  dailyLimitPesewas: Pesewas | null
  /** The networks that they may order; null: all. */
  networks: string[] | null
  pausedAt: Date | null
  told: Told
}

/** What an owner is told of an agent's orders. Each level tells what those before it tell. */
export const toldLevels = ['nothing', 'problems', 'ends', 'each'] as const
export type Told = (typeof toldLevels)[number]

/** Somebody who becomes a member. */
type NewMember = Pick<Member, 'userId' | 'chatId' | 'accountId' | 'role'> &
  Partial<Pick<Member, 'name' | 'invitedBy'>>

/** What an owner may change about an agent. */
export type AgentPatch = Partial<Pick<Member, 'dailyLimitPesewas' | 'networks' | 'pausedAt' | 'told'>>

/** The credentials are not refused. */
const accepted = { unauthorizedSince: null, refusalToldAt: null, verifyAt: null }

/** A balance above this does not fit the column and is shown without being remembered. */
const mostPesewas = 2_147_483_647

export const accountStore = (client: Client) => ({
  byId: async (id: string): Promise<Account | null> =>
    accountOf(await client.account.findUnique({ where: { id } })),

  /** Of several (keys were changed carelessly) the one that has the hash which stands first. */
  byKeyHash: async (hashes: string[]): Promise<Account | null> => {
    const rows = await client.account.findMany({ where: { keyHash: { in: hashes } } })
    const [first] = rows.sort((a, b) => hashes.indexOf(a.keyHash) - hashes.indexOf(b.keyHash))
    return accountOf(first ?? null)
  },

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
    const current = { ...accepted, eraseBy: null, forgetAt: null }
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
        refusalToldAt: null,
        verifyAt: null,
        eraseBy: null,
      },
    })
  },

  /** What was ordered on one account belongs to another from now on: they are one wallet. */
  absorb: async (from: string, to: string): Promise<void> => {
    const change = { where: { accountId: from }, data: { accountId: to } }
    await client.purchase.updateMany(change)
    await client.order.updateMany(change)
    await client.recipient.updateMany(change)
    await client.enquiry.updateMany(change)
    await client.request.updateMany(change)
  },

  /** Its last owner has left: nothing new is ordered, and it is erased by then. */
  closeBy: async (id: string, eraseBy: Date): Promise<void> => {
    await client.account.update({ where: { id }, data: { eraseBy } })
  },

  /** It is not erased after all. @returns whether it was to be. */
  keep: async (id: string): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, eraseBy: { not: null } },
      data: { eraseBy: null, forgetAt: null },
    })
    return count === 1
  },

  /** Accounts that are to be erased. */
  closing: async (): Promise<Account[]> => {
    const rows = await client.account.findMany({ where: { eraseBy: { not: null } } })
    return rows.flatMap((row) => accountOf(row) ?? [])
  },

  /**
   * What is known of the balance from now on; see `accounts/low-balance.ts`.
   * @param knownAt of when the balance is that it takes the place of.
   * @returns false where another one is known by now, or this one does not fit the column.
   */
  rememberBalance: async (
    id: string,
    { accountType, ...balance }: Pick<Account, 'balancePesewas' | 'balanceAt' | 'accountType'>,
    knownAt: Date | null,
  ): Promise<boolean> => {
    if (Math.abs(balance.balancePesewas ?? 0) > mostPesewas) return false
    const { count } = await client.account.updateMany({
      where: { id, balanceAt: knownAt },
      data: { ...balance, ...(accountType && { accountType }) },
    })
    return count === 1
  },

  freeze: async (id: string, until: Date): Promise<void> => {
    await client.account.update({ where: { id }, data: { frozenUntil: until } })
  },

  /** The provider refused the credentials; a balance read is to tell whether it means it. @returns whether that is new. */
  suspect: async (id: string, now: Date): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, unauthorizedSince: null },
      data: { unauthorizedSince: now, verifyAt: now },
    })
    return count === 1
  },

  /** A balance read was refused too. @returns whether that is new, and to be told. */
  markRefused: async (id: string, now: Date): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, unauthorizedSince: { not: null }, refusalToldAt: null, sealedKey: { not: '' } },
      data: { refusalToldAt: now },
    })
    return count === 1
  },

  verifyAgain: async (id: string, verifyAt: Date): Promise<void> => {
    await client.account.updateMany({
      where: { id, unauthorizedSince: { not: null }, sealedKey: { not: '' } },
      data: { verifyAt },
    })
  },

  /** Accounts whose refused credentials are due to be tried. */
  dueToVerify: async (now: Date, limit: number): Promise<string[]> => {
    const rows = await client.account.findMany({
      where: {
        unauthorizedSince: { not: null },
        sealedKey: { not: '' },
        OR: [{ verifyAt: null }, { verifyAt: { lte: now } }],
      },
      select: { id: true },
      orderBy: { verifyAt: 'asc' },
      take: limit,
    })
    return rows.map(({ id }) => id)
  },

  /**
   * The provider accepts the credentials.
   * @param askedAt what was asked before they were refused says nothing.
   * @returns whether they were refused until now.
   */
  markAuthorized: async (id: string, askedAt: Date): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, unauthorizedSince: { lte: askedAt }, sealedKey: { not: '' } },
      data: accepted,
    })
    return count === 1
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

  /**
   * A member of that account, who stays as they are until the transaction ends: others who hold them wait for that.
   * Null where they are no member of it.
   */
  hold: async (userId: number, accountId: string): Promise<Member | null> => {
    const id = { userId: BigInt(userId) }
    const { count } = await client.member.updateMany({ where: { ...id, accountId }, data: { accountId } })
    const row = count === 1 ? await client.member.findUnique({ where: id }) : null
    return row && memberOf(row)
  },

  /** An account that stays as it is until the transaction ends: others who hold it wait for that. */
  holdAccount: async (id: string): Promise<Account | null> => {
    await client.account.updateMany({ where: { id }, data: { id } })
    return accountOf(await client.account.findUnique({ where: { id } }))
  },

  /** Makes somebody a member, since now; what was settled for them as an agent before is forgotten. */
  attach: async (member: NewMember, now: Date): Promise<void> => {
    const userId = BigInt(member.userId)
    const data = { ...memberRow(member), createdAt: now }
    await client.member.upsert({ where: { userId }, create: { userId, ...data }, update: data })
  },

  patchAgent: async (userId: number, patch: AgentPatch): Promise<void> => {
    const { networks, ...rest } = patch
    await client.member.updateMany({
      where: { userId: BigInt(userId), role: 'agent' },
      data: {
        ...rest,
        ...(networks !== undefined && { networks: networks && JSON.stringify(networks) }),
      },
    })
  },

  detach: async (userId: number): Promise<void> => {
    await client.member.deleteMany({ where: { userId: BigInt(userId) } })
  },
})

export type AccountStore = ReturnType<typeof accountStore>

export const accountOf = (row: AccountRow | null): Account | null =>
  row && { ...row, balancePesewas: row.balancePesewas as Pesewas | null }

const memberRow = ({ chatId, accountId, role, name = null, invitedBy = null }: NewMember) => ({
  chatId: BigInt(chatId),
  accountId,
  role,
  name,
  invitedBy: invitedBy === null ? null : BigInt(invitedBy),
  dailyLimitPesewas: null,
  networks: null,
  pausedAt: null,
  told: 'problems' satisfies Told,
})

const memberOf = (row: MemberRow): Member => ({
  ...row,
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  role: row.role === 'agent' ? 'agent' : 'owner',
  invitedBy: row.invitedBy === null ? null : Number(row.invitedBy),
  dailyLimitPesewas: row.dailyLimitPesewas as Pesewas | null,
  networks: row.networks === null ? null : (JSON.parse(row.networks) as string[]),
  told: row.told as Told,
})
