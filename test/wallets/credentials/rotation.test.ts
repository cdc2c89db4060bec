import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { checkKeys } from '../../../src/wallets/credentials/key-check.ts'
import { createKeyring, keyIdOf } from '../../../src/wallets/credentials/keyring.ts'
import { leftover, resealAll, survey } from '../../../src/wallets/credentials/rotation.ts'
import { credentialPlace } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { connectAccount } from '../../support/sealed-account.ts'

const [older, newer, stranger] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
const before = createKeyring([older])
const both = createKeyring([newer, older])
const after = createKeyring([newer])
const start = new Date('2026-11-21T10:32:00Z')
const now = () => start

const connected = async (...ids: string[]): Promise<Store> => {
  const store = await newStore()
  for (const id of ids) await connectAccount(store, before, id)
  return store
}

const standing = (store: Store, keyring = both) => survey({ store, keyring, now })

describe('the change to a new credentials key', () => {
  test('makes all accounts open with the new key alone', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `account-${index}`)
    const store = await connected(...ids)
    expect(await standing(store)).toMatchObject({ accounts: 250, outdated: 250 })
    const progress: number[] = []
    const onProgress = (done: number) => progress.push(done)
    expect(await resealAll({ store, keyring: both, now, onProgress })).toBe(250)
    expect(progress).toEqual(ids.map((_, index) => index + 1))
    expect(await standing(store, after)).toMatchObject({
      accounts: 250,
      outdated: 0,
      unreadable: [],
      twins: [],
    })
    for (const id of ids) {
      const found = await store.accounts.byKeyHash(after.lookupHashes(`key of ${id}`))
      expect(found?.id).toBe(id)
      expect(after.open(found?.sealedSecret ?? '', credentialPlace(id, 'secret'))).toBe(`secret of ${id}`)
    }
  })

  test('changes nothing the second time', async () => {
    const store = await connected('a', 'b')
    await resealAll({ store, keyring: both, now })
    const rows = await store.credentials.page('', 9)
    expect(await resealAll({ store, keyring: both, now })).toBe(0)
    expect(await store.credentials.page('', 9)).toEqual(rows)
  })

  test('changes no account that is erased or reconnected at that moment', async () => {
    const store = await connected('erased', 'reconnected')
    const { credentials } = store
    const meanwhile = {
      ...store,
      credentials: {
        ...credentials,
        replace: async (...rows: Parameters<typeof credentials.replace>) => {
          const [{ id, sealedKey }] = rows
          const isFirstTry = keyIdOf(sealedKey) === before.keyIds[0]
          if (isFirstTry && id === 'erased') await store.accounts.erase(id)
          if (isFirstTry && id === 'reconnected') await connectAccount(store, both, id, 'newer')
          return credentials.replace(...rows)
        },
      },
    }
    expect(await resealAll({ store: meanwhile, keyring: both, now })).toBe(0)
    expect(await store.accounts.byId('erased')).toMatchObject({ sealedKey: '', sealedSecret: '' })
    const [row] = await credentials.page('', 9)
    expect(after.open(row?.sealedSecret ?? '', credentialPlace('reconnected', 'secret'))).toBe('newer secret')
  })

  test('skips and names accounts that no key opens or whose values were moved', async () => {
    const store = await connected('good', 'moved')
    await connectAccount(store, createKeyring([stranger]), 'foreign')
    const [good, moved] = [await store.credentials.byId('good'), await store.credentials.byId('moved')]
    if (!good || !moved) throw new Error('They are there.')
    await store.credentials.replace(moved, { ...good, id: 'moved', keyHash: moved.keyHash })
    expect(await resealAll({ store, keyring: both, now })).toBe(1)
    const found = await standing(store)
    expect(found).toMatchObject({ accounts: 3, outdated: 0, unreadable: ['foreign', 'moved'] })
    expect(await store.credentials.byId('moved')).toMatchObject({ sealedKey: good.sealedKey })
  })

  test('names and keeps both accounts if an API key was connected twice', async () => {
    const store = await connected('first')
    await connectAccount(store, after, 'second', 'same', 'key of first')
    await resealAll({ store, keyring: both, now })
    const found = await standing(store)
    expect(found).toMatchObject({ outdated: 0, unreadable: [], twins: [{ id: 'first', other: 'second' }] })
    const first = await store.credentials.byId('first')
    expect(after.open(first?.sealedSecret ?? '', credentialPlace('first', 'secret'))).toBe('secret of first')
    // Typing that key again finds the account that remains.
    expect(await store.accounts.byKeyHash(both.lookupHashes('key of first'))).toMatchObject({ id: 'second' })
    await store.accounts.erase('second')
    expect(await standing(store)).toMatchObject({ outdated: 1, twins: [] })
    await resealAll({ store, keyring: both, now })
    expect(await store.accounts.byKeyHash(after.lookupHashes('key of first'))).toMatchObject({ id: 'first' })
  })

  test('is incomplete while a bot still writes with the older key, until the next run', async () => {
    const store = await connected('a')
    // The new account's id comes before those that are already done, so this run does not find it.
    const onProgress = () => void connectAccount(store, before, '0')
    await resealAll({ store, keyring: both, now, onProgress })
    await expect.poll(() => store.accounts.byId('0')).not.toBeNull()
    expect(await standing(store)).toMatchObject({ accounts: 2, outdated: 1 })
    expect(await resealAll({ store, keyring: both, now })).toBe(1)
    expect(await standing(store)).toMatchObject({ accounts: 2, outdated: 0 })
  })

  test('keeps each account findable, so that nobody gets a second account', async () => {
    const store = await connected('a', 'b')
    const [row] = await store.credentials.page('', 1)
    if (row) await connectAccount(store, both, row.id)
    for (const id of ['a', 'b']) {
      expect(await store.accounts.byKeyHash(both.lookupHashes(`key of ${id}`))).toMatchObject({ id })
    }
  })
})

describe('the older credentials key', () => {
  test('is needed for typed credentials and invitations until these expire', async () => {
    const store = await connected('a')
    const minutes = (count: number) => new Date(start.getTime() + count * 60_000)
    await store.chats.keepPendingCredentials({
      chatId: 5,
      sealedKey: before.seal('k', 'chat:5/key'),
      sealedSecret: null,
      expiresAt: minutes(10),
    })
    const [tokenHash = ''] = before.invitationHashes('secret')
    await store.chats.invite({ tokenHash, createdBy: 1, createdAt: minutes(-5), expiresAt: minutes(55) })
    const asked = (keyring = both, at = start) => leftover({ store, keyring, now: () => at })
    expect(await asked()).toMatchObject({ since: null })
    await resealAll({ store, keyring: both, now })
    const needed = { typed: { count: 1, until: minutes(10) }, invitations: { count: 1, until: minutes(55) } }
    expect(await asked()).toMatchObject({ since: start, ...needed })
    const none = { count: 0, until: null }
    expect(await asked(both, minutes(55))).toMatchObject({ since: start, typed: none, invitations: none })
    await resealAll({ store, keyring: both, now: () => minutes(60) })
    expect(await asked()).toMatchObject({ since: start })
  })
})

describe('the credentials keys with which a bot starts', () => {
  test('are refused if they can open none of the stored credentials', async () => {
    const store = await connected('a', 'b')
    await expect(checkKeys(store.credentials, after)).rejects.toMatchObject({ code: 'cannot_open' })
    expect(await checkKeys(store.credentials, both)).toBe(0)
    expect(await checkKeys((await newStore()).credentials, after)).toBe(0)
  })

  test('are accepted if they open some stored credentials, and the rest is counted', async () => {
    const store = await connected('a', 'b', 'c')
    await connectAccount(store, after, 'd')
    expect(await checkKeys(store.credentials, after)).toBe(3)
    expect(await checkKeys(store.credentials, before)).toBe(1)
  })

  test('are refused if credentials sealed with one of them do not open', async () => {
    const store = await connected('a')
    const [row] = await store.credentials.page('', 1)
    if (!row) throw new Error('It is there.')
    await store.credentials.replace(row, {
      ...row,
      sealedSecret: before.seal('s', credentialPlace('b', 'secret')),
    })
    await expect(checkKeys(store.credentials, before)).rejects.toMatchObject({ code: 'cannot_open' })
  })
})
