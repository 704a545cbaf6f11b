export type { FaultKind } from './fault-kinds.ts';
export { faultKinds } from './fault-kinds.ts';
export type { FaultRule } from './fault-rules.ts';
export { simulatorHosts } from './hosts.ts';
export type { LogReport } from './request-log.ts';
export type { Simulator, SimulatorChange, SimulatorOptions, SimulatorState } from './simulator.ts';
export { createSimulator } from './simulator.ts';
export type { TrueProduct, TruePromotion } from './truth.ts';
