/** @import { Fault, ProviderBundleState, ProviderSettings, ProviderState } from '../../provider/control.ts' */
import { follow } from '../common/live.js'
import { request } from '../common/requests.js'

/**
 * Reads and changes the simulated provider.
 *
 * @param {string} controlUrl the address of its `/_sim` routes
 */
export function providerClient(controlUrl) {
  const base = controlUrl.replace(/\/$/, '')
  return {
    /** @returns {Promise<ProviderState>} */
    state: () => request('GET', `${base}/state`),

    /**
     * @param {string} reference
     * @param {{ status: string, phone?: string, quiet?: boolean }} change
     */
    setStatus: (reference, change) =>
      request('POST', `${base}/orders/${encodeURIComponent(reference)}/status`, change),

    /** @param {Fault} fault */
    addFault: (fault) => request('POST', `${base}/faults`, fault),

    /** @param {string} [id] without it, all faults end */
    endFaults: (id) => request('DELETE', id === undefined ? `${base}/faults` : `${base}/faults/${id}`),

    /** @param {Partial<ProviderSettings>} settings */
    change: (settings) => request('POST', `${base}/settings`, settings),

    /**
     * @param {string} id
     * @param {{ balancePesewas?: number, apiKey?: string, apiSecret?: string, disabled?: boolean, prices?: Record<string, number | null> }} change
     */
    changeAccount: (id, change) => request('POST', `${base}/accounts/${encodeURIComponent(id)}`, change),

    /**
     * Places an order as somebody else would who has the account's key.
     *
     * @param {string} id
     * @param {{ bundleId: number, phones: string[] }} order
     */
    orderElsewhere: (id, order) =>
      request('POST', `${base}/accounts/${encodeURIComponent(id)}/orders`, order),

    /**
     * @param {string} id
     * @returns {Promise<ProviderBundleState[]>} at that account's prices
     */
    bundles: (id) => request('GET', `${base}/accounts/${encodeURIComponent(id)}/bundles`),

    /**
     * @param {{ load: () => Promise<void>, apply: (state: ProviderState) => void, status: (connected: boolean) => void }} to
     */
    follow: (to) => follow({ url: `${base}/events`, names: ['state'], ...to }),
  }
}

/** @typedef {ReturnType<typeof providerClient>} ProviderClient */
