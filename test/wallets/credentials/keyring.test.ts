import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CannotOpen, createKeyring, type TokenPurpose } from '../../../src/wallets/credentials/keyring.ts'
import { credentialPlace } from '../../../src/wallets/wallets.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const keyring = createKeyring([oldKey])
const rotated = createKeyring([newKey, oldKey])
const stranger = createKeyring([randomBytes(32)])

const text = fc.string({ unit: anyCharacter, maxLength: 200 }).map((each) => each.toWellFormed())
const id = fc.stringMatching(/^[\w-]{22}$/)

/** A text in which one character is removed, inserted or replaced. */
const mutationOf = (whole: string) =>
  fc
    .record({
      at: fc.nat(whole.length),
      remove: fc.nat(1),
      insert: fc.oneof(fc.constantFrom('', '.', '=', '!', ' ', 'A'), fc.string({ maxLength: 2 })),
    })
    .map(({ at, remove, insert }) => whole.slice(0, at) + insert + whole.slice(at + remove))
    .filter((mutated) => mutated !== whole)

describe('a keyring for credentials', () => {
  test('seals a value so that it opens in the account and field that it was sealed for, and never gives the same result twice', () => {
    fc.assert(
      fc.property(text, text, (plain, place) => {
        const [first, second] = [keyring.seal(plain, place), keyring.seal(plain, place)]
        expect(keyring.open(first, place)).toBe(plain)
        expect(first).not.toBe(second)
      }),
    )
  })

  test('seals a value so that it opens in no other account or field', () => {
    const sealed = keyring.seal('secret', credentialPlace('one', 'secret'))
    for (const place of [credentialPlace('two', 'secret'), credentialPlace('one', 'key'), 'chat:1/key', '']) {
      expect(() => keyring.open(sealed, place)).toThrow(CannotOpen)
    }
  })

  test('seals a value so that it does not open with one character changed', () => {
    const mutated = text.chain((plain) => mutationOf(keyring.seal(plain, 'here')))
    fc.assert(
      fc.property(mutated, (sealed) => {
        expect(() => rotated.open(sealed, 'here')).toThrow(CannotOpen)
      }),
      { numRuns: runs(1000) },
    )
  })

  test('seals a value so that it does not open with a shortened tag', () => {
    const parts = keyring.seal('secret', 'here').split('.')
    const tag = Buffer.from(parts[3] ?? '', 'base64url')
    expect(tag).toHaveLength(16)
    for (let length = 0; length < 16; length += 1) {
      const cut = parts.with(3, tag.subarray(0, length).toString('base64url')).join('.')
      expect(() => keyring.open(cut, 'here')).toThrow(CannotOpen)
    }
  })

  test('refuses to open junk', () => {
    fc.assert(
      fc.property(fc.string(), (junk) => {
        expect(() => keyring.open(junk, 'here')).toThrow(CannotOpen)
      }),
    )
  })

  test('shows nothing of a value that it refuses to open', () => {
    const sealed = keyring.seal('secret', 'here')
    expect(() => stranger.open(sealed, 'here')).toThrow(/^A sealed value cannot be opened with the keys/)
  })
})

describe('a keyring with a new and an older key', () => {
  test('opens what the older key sealed, and seals with the new key', () => {
    expect(rotated.open(keyring.seal('secret', 'here'), 'here')).toBe('secret')
    const sealed = rotated.seal('secret', 'here')
    expect(createKeyring([newKey]).open(sealed, 'here')).toBe('secret')
    expect(() => keyring.open(sealed, 'here')).toThrow(CannotOpen)
  })

  test('looks an API key up by the hash of each encryption key, the new one first', () => {
    expect(rotated.lookupHashes('api-key')).toEqual([
      ...createKeyring([newKey]).lookupHashes('api-key'),
      ...keyring.lookupHashes('api-key'),
    ])
    expect(keyring.lookupHashes('api-key')).not.toEqual(keyring.lookupHashes('api-kez'))
    expect(keyring.lookupHashes('api-key')).not.toEqual(keyring.invitationHashes('api-key'))
  })

  test('accepts tokens that the older key signed', () => {
    expect(rotated.verify('webhook', keyring.sign('webhook', 'order'))).toBe('order')
    expect(keyring.verify('webhook', rotated.sign('webhook', 'order'))).toBeNull()
  })

  test('accepts the webhook secret of the older key, and sets that of the new one', () => {
    expect(rotated.isTelegramSecret(keyring.telegramSecret())).toBe(true)
    expect(rotated.telegramSecret()).toBe(createKeyring([newKey]).telegramSecret())
  })
})

describe('a token signed by a keyring', () => {
  const purpose = fc.constantFrom<TokenPurpose>('webhook', 'share')

  test('names the signed id, and fits into URLs and deep links', () => {
    fc.assert(
      fc.property(purpose, id, (use, orderId) => {
        const token = keyring.sign(use, orderId)
        expect(keyring.verify(use, token)).toBe(orderId)
        expect(`s${token}`).toMatch(/^[\w-]{1,64}$/)
      }),
    )
  })

  test('is not valid for another purpose or with another keyring', () => {
    fc.assert(
      fc.property(id, (orderId) => {
        expect(keyring.verify('share', keyring.sign('webhook', orderId))).toBeNull()
        expect(keyring.verify('webhook', keyring.sign('share', orderId))).toBeNull()
        expect(keyring.verify('webhook', stranger.sign('webhook', orderId))).toBeNull()
      }),
    )
  })

  test('is refused if one character was changed, or if its signature belongs to another id', () => {
    fc.assert(
      fc.property(
        id.chain((orderId) => mutationOf(keyring.sign('webhook', orderId))),
        (forged) => {
          expect(keyring.verify('webhook', forged)).toBeNull()
        },
      ),
      { numRuns: runs(1000) },
    )
    fc.assert(
      fc.property(id, id, (mine, theirs) => {
        fc.pre(mine !== theirs)
        expect(keyring.verify('webhook', theirs + keyring.sign('webhook', mine).slice(22))).toBeNull()
      }),
    )
  })

  test('is not found in arbitrary text', () => {
    fc.assert(
      fc.property(purpose, fc.string({ unit: anyCharacter, maxLength: 300 }), (use, junk) => {
        expect(keyring.verify(use, junk)).toBeNull()
      }),
    )
  })
})

test('Telegram’s webhook secret uses only characters that Telegram allows, and depends on the key', () => {
  expect(keyring.telegramSecret()).toMatch(/^[\w-]{1,256}$/)
  expect(keyring.telegramSecret()).not.toBe(stranger.telegramSecret())
  expect(keyring.isTelegramSecret(keyring.telegramSecret())).toBe(true)
  for (const other of [stranger.telegramSecret(), '', keyring.telegramSecret().slice(1)])
    expect(keyring.isTelegramSecret(other)).toBe(false)
})

test('a keyring without a key cannot be made', () => {
  expect(() => createKeyring([])).toThrow(RangeError)
})
