import type { LookUps } from '../../../orders/following/look-ups.ts'
import { noneFound } from './look-up-words.ts'
import type { OperatorAlerts } from './operator-alerts.ts'

/**
 * Warns the operators once if the provider finds none of the orders looked up, and closes the warning when it finds
 * one.
 */
export const createLookUpAlert = (
  alerts: Pick<OperatorAlerts, 'warn' | 'standing' | 'end'>,
  lookUps: Pick<LookUps, 'state'>,
) => {
  let known: ReturnType<LookUps['state']> = null

  return async (): Promise<void> => {
    const state = lookUps.state()
    if (state === known) return
    const isStanding = (await alerts.standing('lookups')).length > 0
    if (state === 'none_found' && !isStanding) await alerts.warn('lookups', noneFound)
    if (state === 'found' && isStanding) await alerts.end('lookups')
    known = state
  }
}
