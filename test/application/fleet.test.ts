import { expect, test } from 'vitest'
import type { Bot } from '../../src/application/bot.ts'
import { createFleet } from '../../src/application/fleet.ts'
import { createAddedRoutes } from '../../src/http/bot-routes.ts'
import { newStore } from '../support/database.ts'

type FleetOptions = Parameters<typeof createFleet>[0]

test('before any added bot runs, its callbacks are to come again, and those of unknown bots are not', async () => {
  const store = await newStore()
  await store.bots.add({
    ...{ id: 1, username: 'shop_bot', sealedToken: 'sealed', accountId: null, ownerIds: [] },
    ...{ addedAt: new Date(), startedAt: null, stopped: null },
  })
  const routes = createAddedRoutes()
  const config = { telegram: { token: '9:main' }, databaseUrl: 'file::memory:' }
  const fleet = createFleet({ config, routes } as unknown as FleetOptions)
  await fleet.register({ foundation: { store } } as unknown as Bot)
  expect(routes.byId(1)).toBe('resting')
  expect(routes.byId(2)).toBe(null)
})
