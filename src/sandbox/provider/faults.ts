import type { Fault, FaultKind, ProviderState } from './control.ts'

type FaultState = ProviderState['faults'][number]

/**
 * Faults of callbacks. Such a fault strikes the next order whose status changes, and then applies to all callbacks
 * of that order.
 */
export type CallbackFaultKind = 'callback_late' | 'callback_twice' | 'callback_reversed' | 'callback_never'

/** Faults in placing an order. They may strike together with a fault of the request. */
type PlacementFaultKind = 'callback_early' | 'debit_late' | 'debit_twice'

/** Faults of the list of wallet entries. They may strike together with a fault of the request. */
type ListingFaultKind = 'entries_reversed' | 'entries_many'

const callbackKinds: readonly CallbackFaultKind[] = [
  'callback_late',
  'callback_twice',
  'callback_reversed',
  'callback_never',
]
const placementKinds: readonly PlacementFaultKind[] = ['callback_early', 'debit_late', 'debit_twice']
const listingKinds: readonly ListingFaultKind[] = ['entries_reversed', 'entries_many']
const otherThanRequest: ReadonlySet<FaultKind> = new Set<FaultKind>([
  ...callbackKinds,
  ...placementKinds,
  ...listingKinds,
])

const placingPaths = ['/order', '/order/bulk']

/** In milliseconds. Used if a fault has no `delayMs`. */
const defaultDelayMs = 1_000

export const faultDelayMs = (fault: Fault): number => fault.delayMs ?? defaultDelayMs

/**
 * The faults that were added. Chooses which one strikes.
 *
 * A request is struck by at most one request fault: the earliest added that applies to it. A placement fault strikes
 * the next order that is placed. A callback fault strikes an order when the order's status changes next, and applies
 * to all its callbacks after that, so its `times` counts orders.
 */
export class Faults {
  readonly #live: FaultState[] = []
  readonly #claimed = new Map<string, FaultState[]>()
  #count = 0

  add(fault: Fault): string {
    const id = `fault-${++this.#count}`
    this.#live.push({ ...fault, id, left: fault.times === undefined ? 1 : fault.times })
    return id
  }

  remove(id: string): void {
    this.#keep((fault) => fault.id !== id)
  }

  clear(): void {
    this.#keep(() => false)
  }

  /** The faults that can still strike, oldest first. */
  states(): FaultState[] {
    return this.#live.map((fault) => ({ ...fault }))
  }

  /**
   * The fault that strikes a request; null if none does.
   * @param path below the base URL, without query
   * @param accountId the account of the request's key, if there is one
   * @param network the network of the bundle that the request orders, if it orders one
   */
  strikeRequest(path: string, accountId: string | null, network: string | null = null): Fault | null {
    return this.#strike(
      (fault) =>
        !otherThanRequest.has(fault.kind) &&
        (fault.network ?? network) === network &&
        appliesTo(fault, path, accountId),
    )
  }

  strikePlacement(kind: PlacementFaultKind, path: string, accountId: string): Fault | null {
    return this.#strike((fault) => fault.kind === kind && appliesTo(fault, path, accountId))
  }

  strikeListing(kind: ListingFaultKind, accountId: string): boolean {
    const isStruck = (fault: FaultState) =>
      fault.kind === kind && (fault.account === undefined || fault.account === accountId)
    return this.#strike(isStruck) !== null
  }

  /** Assigns the added faults that apply to the order to it, and returns its callback faults. */
  ofCallbacks(reference: string, path: string, accountId: string): Map<CallbackFaultKind, Fault> {
    const claimed = this.#claimed.get(reference) ?? []
    for (const kind of callbackKinds) {
      if (claimed.some((fault) => fault.kind === kind)) continue
      const struck = this.#strike((fault) => fault.kind === kind && appliesTo(fault, path, accountId))
      if (struck) claimed.push(struck)
    }
    this.#claimed.set(reference, claimed)
    return new Map(claimed.map((fault) => [fault.kind as CallbackFaultKind, fault]))
  }

  /** Whether a fault delays the callbacks of that order to send them in reverse. */
  holds(reference: string): boolean {
    return (this.#claimed.get(reference) ?? []).some((fault) => fault.kind === 'callback_reversed')
  }

  #strike(applies: (fault: FaultState) => boolean): FaultState | null {
    const index = this.#live.findIndex(applies)
    const fault = this.#live[index]
    if (!fault) return null
    if (fault.left !== null && --fault.left <= 0) this.#live.splice(index, 1)
    return fault
  }

  #keep(wanted: (fault: FaultState) => boolean): void {
    this.#live.splice(0, this.#live.length, ...this.#live.filter(wanted))
    for (const [reference, faults] of this.#claimed) this.#claimed.set(reference, faults.filter(wanted))
  }
}

/**
 * Whether the fault applies to a request. The path `*` means any path; `/order/status` means that path with any
 * reference.
 */
const appliesTo = (fault: Fault, path: string, accountId: string | null): boolean => {
  if (fault.account !== undefined && fault.account !== accountId) return false
  if (fault.path === undefined) return placingPaths.includes(path)
  if (fault.path === '*' || fault.path === path) return true
  return fault.path === '/order/status' && path.startsWith('/order/status/')
}
