import { describe, expect, test } from 'vitest'
import { mapOf, readPrefixLine } from '../../../src/lists/meaning/prefix-line.ts'
import { networksOf } from '../../../src/lists/read-phone.ts'
import {
  changePrefix,
  keepOn,
  likelyNetworks,
  prefixChanges,
  resetPrefixes,
} from '../../../src/orders/buying/likely-network.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { newStore } from '../../support/database.ts'

const now = new Date('2026-11-21T12:00:00Z')
const phone = '0256123456' as Phone

describe('an operator’s typed line about the networks of a prefix', () => {
  test.each([
    ['0256 MTN', '0256', ['MTN']],
    [' 026  airteltigo or big-time ', '026', ['AirtelTigo', 'BigTime']],
    ['020 voda', '020', ['Telecel']],
    ['0256 none', '0256', []],
    ['0256 Built in', '0256', null],
  ] as const)('is understood if it is %j', (line, prefix, networks) => {
    expect(readPrefixLine(line)).toEqual({ kind: 'change', prefix, networks })
  })

  test.each([
    ['0256', 'unreadable'],
    ['', 'unreadable'],
    ['25 MTN', 'prefix'],
    ['03012 MTN', 'prefix'],
    ['031 MTN', 'prefix'],
    ['0256 Glo', 'network'],
    ['0256 ,', 'unreadable'],
  ] as const)('is refused if it is %j (fault: %s)', (line, fault) => {
    expect(readPrefixLine(line)).toMatchObject({ kind: 'refused', fault })
  })
})

test('a four-digit prefix overrides a three-digit one, and a reset restores the built-in prefixes', async () => {
  const store = await newStore()
  const likely = async () => networksOf(phone, mapOf(await prefixChanges(store)))
  expect(await likely()).toEqual(['MTN'])
  expect(await changePrefix(store, '0256', ['Telecel'])).toBeNull()
  expect(await likely()).toEqual(['Telecel'])
  expect(networksOf('0255123456' as Phone, mapOf(await prefixChanges(store)))).toEqual(['MTN'])
  expect(await changePrefix(store, '0256', [])).toEqual(['Telecel'])
  expect(await likely()).toEqual([])
  expect(await resetPrefixes(store)).toBe(true)
  expect(await likely()).toEqual(['MTN'])
  expect(await resetPrefixes(store)).toBe(false)
})

test('an account’s ported number keeps its network until it is set to the network of its prefix', async () => {
  const store = await newStore()
  const keep = (network: string) => keepOn(store, 'a', { phones: [phone, phone], network }, now)
  await keep('Telecel')
  expect(await likelyNetworks(store, 'a', phone)).toEqual(['Telecel'])
  expect(await likelyNetworks(store, 'b', phone)).toEqual(['MTN'])
  await keep('BigTime')
  expect(await store.ported.list('a', 10)).toEqual([{ phone, network: 'BigTime', keptAt: now }])
  await keep('MTN')
  expect(await store.ported.count('a')).toBe(0)
})

test('ported numbers are deleted with the account’s data, and after the retention period', async () => {
  const store = await newStore()
  for (const account of ['a', 'b']) await keepOn(store, account, { phones: [phone], network: 'Telecel' }, now)
  await store.personalData.forgetBooks('a')
  expect(await store.ported.count('a')).toBe(0)
  expect(await store.ported.count('b')).toBe(1)
  await store.ported.forgetBefore(now)
  expect(await store.ported.count('b')).toBe(1)
  await store.ported.forgetBefore(new Date(now.getTime() + 1))
  expect(await store.ported.count('b')).toBe(0)
})
