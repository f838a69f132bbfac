/**
 * Models of the Management Console API. Each model is both an interface and a runtime validator for
 * the interface.
 */

export * from './settings.js';
export {
  AuthorizedKey,
  ConfigurationStatus,
  ConfigurationStep,
  type ConnectionService,
  type MaintenanceStatus,
} from './status.js';
