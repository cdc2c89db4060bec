import { expect, test } from 'vitest'
import { readNetwork } from '../../../../src/lists/reading/grammar/network-word.ts'

test.each([
  ['MTN', ['mtn', 'MTN', 'Mtn', ' mtn ']],
  ['Telecel', ['telecel', 'vodafone', 'voda', 'VODA']],
  ['AirtelTigo', ['at', 'AT', 'airteltigo', 'AirtelTigo', 'airtel-tigo', 'tigo', 'airtel']],
  ['BigTime', ['bigtime', 'big time', 'Big Time', 'BIG  TIME']],
])('the network %s is recognized in each of %j', (network, words) => {
  for (const word of words) expect(readNetwork(word)).toBe(network)
})

test.each(['', 'glo', 'mtn telecel', 'm', 'big', 'time', '__proto__', 'constructor'])(
  'the text %j is not recognized as a network',
  (word) => {
    expect(readNetwork(word)).toBeNull()
  },
)
