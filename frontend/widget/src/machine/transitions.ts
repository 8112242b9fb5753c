/** Every screen of the widget. */
export const SCREENS = [
  'Main',
  'AdBlockerDetected',
  'EmailConfirmation',
  'EmailMethodSelection',
  'EmailOTPEntry',
  'OTPAuthenticate',
  'OTPConfirmation',
  'PasswordEmail',
  'PasswordCreateOrLogin',
  'PasswordAuthenticate',
  'PasswordConfirmation',
  'PasswordForgot',
  'PasswordForgotForm',
  'PasswordResetVerifyConfirmation',
  'PasswordBreached',
  'PasswordSetNew',
  'PasswordDedupe',
  'PasswordResetForm',
  'PasswordSetNewConfirmation',
  'PasskeyConfirmation',
  'RegisterNewPasskey',
  'PasskeyRegistrationSuccess',
  'CryptoConnect',
  'CryptoSignMessage',
  'CryptoOtherScreen',
  'CryptoSetupWallet',
  'CryptoError',
  'CryptoConfirmation',
  'MFAEnrollmentSelection',
  'TOTPEnrollmentQRCode',
  'TOTPEnrollmentManual',
  'TOTPEntry',
  'RecoveryCodeEntry',
  'RecoveryCodeSave',
  'SMSOTPEnrollment',
  'SMSOTPEntry',
  'SSODiscoveryEmail',
  'SSODiscoveryFallback',
  'SSODiscoveryMenu',
  'OrganizationDiscoveryClaimedDomain',
  'Organization',
  'Discovery',
  'CannotJoinOrgDueToAuthPolicy',
  'LoggedIn',
  'IDPConsent',
  'Error',
] as const

export type Screen = (typeof SCREENS)[number]

/** Everything that can happen. */
export const EVENT_TYPES = [
  // Of every form.
  'submitted',
  'failed',
  'back',
  // When the widget starts.
  'blocked',
  'retried',
  'sessionFound',
  'resetTokenFound',
  'linkFailed',
  // Codes and links.
  'emailGiven',
  'otpSent',
  'linkSent',
  'otpAccepted',
  // Passwords.
  'passwordWanted',
  'userFound',
  'passwordAccepted',
  'forgotten',
  'loginWanted',
  'resetSent',
  'resetRequired',
  'passwordBreached',
  'setPasswordSent',
  'passwordReset',
  // Passkeys.
  'passkeyAccepted',
  'passkeyOffered',
  'passkeyRegistered',
  'skipped',
  'finished',
  // Wallets.
  'walletChosen',
  'otherWalletsWanted',
  'walletMissing',
  'challengeReceived',
  'walletAccepted',
  'walletFailed',
  // Second factor.
  'secondFactorNeeded',
  'secondFactorDemanded',
  'secondFactorOffered',
  'appCreated',
  'manualWanted',
  'qrCodeWanted',
  'codeWanted',
  'recoveryWanted',
  'appConfirmed',
  'saved',
  'phoneWanted',
  'textSent',
  'secondFactorAccepted',
  // Organizations.
  'organizationWanted',
  'organizationMissing',
  'organizationFound',
  'organizationEntered',
  'connectionsWanted',
  'organizationsFound',
  'joined',
  'joinRefused',
  // The session.
  'consentAsked',
  'logoutAsked',
  'signedOut',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

type Row = Readonly<Partial<Record<EventType, Screen>>>

/** What an organization still asks of a complete sign-in. */
const ofOrganizations = {
  organizationsFound: 'Discovery',
  joinRefused: 'CannotJoinOrgDueToAuthPolicy',
} as const satisfies Row

/** What follows a sign-in that its second factor completed. */
const afterSecondFactor = { ...ofOrganizations, passkeyOffered: 'RegisterNewPasskey' } as const satisfies Row

/** What follows a first factor, instead of its confirmation. */
const afterSignIn = {
  ...afterSecondFactor,
  secondFactorNeeded: 'TOTPEntry',
  secondFactorDemanded: 'MFAEnrollmentSelection',
  secondFactorOffered: 'MFAEnrollmentSelection',
} as const satisfies Row

/** Returns the row of a screen: these events, and those that every screen has. */
function row(screen: Screen, own: Row): Row {
  return { submitted: screen, failed: screen, back: 'Main', ...own }
}

/** The whole table: the screen that follows each event of a screen. Events without an entry change nothing. */
export const TRANSITIONS: Readonly<Record<Screen, Row>> = {
  Main: row('Main', {
    blocked: 'AdBlockerDetected',
    sessionFound: 'LoggedIn',
    logoutAsked: 'IDPConsent',
    resetTokenFound: 'PasswordResetForm',
    linkFailed: 'Error',
    otpSent: 'OTPAuthenticate',
    linkSent: 'EmailConfirmation',
    emailGiven: 'EmailMethodSelection',
    passwordWanted: 'PasswordEmail',
    userFound: 'PasswordCreateOrLogin',
    setPasswordSent: 'PasswordSetNew',
    passkeyAccepted: 'PasskeyConfirmation',
    walletChosen: 'CryptoConnect',
    otherWalletsWanted: 'CryptoOtherScreen',
    walletMissing: 'CryptoSetupWallet',
    organizationWanted: 'SSODiscoveryEmail',
    organizationEntered: 'Organization',
    ...afterSignIn,
  }),
  AdBlockerDetected: row('AdBlockerDetected', { retried: 'Main' }),
  EmailConfirmation: row('EmailConfirmation', {
    linkSent: 'EmailConfirmation',
    setPasswordSent: 'PasswordSetNew',
  }),
  EmailMethodSelection: row('EmailMethodSelection', {
    linkSent: 'EmailConfirmation',
    otpSent: 'EmailOTPEntry',
  }),
  EmailOTPEntry: row('EmailOTPEntry', {
    otpSent: 'EmailOTPEntry',
    otpAccepted: 'OTPConfirmation',
    setPasswordSent: 'PasswordSetNew',
    ...afterSignIn,
  }),
  OTPAuthenticate: row('OTPAuthenticate', {
    otpSent: 'OTPAuthenticate',
    otpAccepted: 'OTPConfirmation',
    setPasswordSent: 'PasswordSetNew',
    ...afterSignIn,
  }),
  OTPConfirmation: row('OTPConfirmation', { finished: 'LoggedIn' }),
  PasswordEmail: row('PasswordEmail', {
    userFound: 'PasswordCreateOrLogin',
    emailGiven: 'EmailMethodSelection',
    otpSent: 'OTPAuthenticate',
    linkSent: 'EmailConfirmation',
    setPasswordSent: 'PasswordSetNew',
  }),
  PasswordCreateOrLogin: row('PasswordCreateOrLogin', {
    passwordAccepted: 'PasswordConfirmation',
    emailGiven: 'EmailMethodSelection',
    otpSent: 'OTPAuthenticate',
    linkSent: 'EmailConfirmation',
    resetSent: 'PasswordForgot',
    resetRequired: 'PasswordDedupe',
    passwordBreached: 'PasswordBreached',
    ...afterSignIn,
  }),
  PasswordAuthenticate: row('PasswordAuthenticate', {
    passwordAccepted: 'PasswordConfirmation',
    forgotten: 'PasswordForgotForm',
    resetRequired: 'PasswordDedupe',
    passwordBreached: 'PasswordBreached',
    ...afterSignIn,
  }),
  PasswordConfirmation: row('PasswordConfirmation', { finished: 'LoggedIn' }),
  PasswordForgot: row('PasswordForgot', { resetSent: 'PasswordForgot', loginWanted: 'PasswordAuthenticate' }),
  PasswordForgotForm: row('PasswordForgotForm', { resetSent: 'PasswordResetVerifyConfirmation' }),
  PasswordResetVerifyConfirmation: row('PasswordResetVerifyConfirmation', {
    resetSent: 'PasswordResetVerifyConfirmation',
    loginWanted: 'PasswordAuthenticate',
  }),
  PasswordBreached: row('PasswordBreached', { resetSent: 'PasswordBreached' }),
  PasswordSetNew: row('PasswordSetNew', { setPasswordSent: 'PasswordSetNew' }),
  PasswordDedupe: row('PasswordDedupe', { resetSent: 'PasswordDedupe' }),
  PasswordResetForm: row('PasswordResetForm', {
    passwordReset: 'PasswordSetNewConfirmation',
    linkFailed: 'Error',
    ...afterSignIn,
  }),
  PasswordSetNewConfirmation: row('PasswordSetNewConfirmation', { finished: 'LoggedIn' }),
  PasskeyConfirmation: row('PasskeyConfirmation', { finished: 'LoggedIn' }),
  RegisterNewPasskey: row('RegisterNewPasskey', {
    passkeyRegistered: 'PasskeyRegistrationSuccess',
    skipped: 'LoggedIn',
  }),
  PasskeyRegistrationSuccess: row('PasskeyRegistrationSuccess', { finished: 'LoggedIn' }),
  CryptoConnect: row('CryptoConnect', {
    challengeReceived: 'CryptoSignMessage',
    walletMissing: 'CryptoSetupWallet',
    walletFailed: 'CryptoError',
  }),
  CryptoSignMessage: row('CryptoSignMessage', {
    walletAccepted: 'CryptoConfirmation',
    walletFailed: 'CryptoError',
    ...afterSignIn,
  }),
  CryptoOtherScreen: row('CryptoOtherScreen', {
    walletChosen: 'CryptoConnect',
    walletMissing: 'CryptoSetupWallet',
  }),
  CryptoSetupWallet: row('CryptoSetupWallet', {}),
  CryptoError: row('CryptoError', { walletChosen: 'CryptoConnect' }),
  CryptoConfirmation: row('CryptoConfirmation', { finished: 'LoggedIn' }),
  MFAEnrollmentSelection: row('MFAEnrollmentSelection', {
    appCreated: 'TOTPEnrollmentQRCode',
    phoneWanted: 'SMSOTPEnrollment',
    skipped: 'LoggedIn',
    passkeyAccepted: 'PasskeyConfirmation',
    ...afterSignIn,
  }),
  TOTPEnrollmentQRCode: row('TOTPEnrollmentQRCode', {
    manualWanted: 'TOTPEnrollmentManual',
    appConfirmed: 'RecoveryCodeSave',
    skipped: 'LoggedIn',
  }),
  TOTPEnrollmentManual: row('TOTPEnrollmentManual', {
    qrCodeWanted: 'TOTPEnrollmentQRCode',
    appConfirmed: 'RecoveryCodeSave',
    skipped: 'LoggedIn',
  }),
  TOTPEntry: row('TOTPEntry', {
    recoveryWanted: 'RecoveryCodeEntry',
    secondFactorAccepted: 'LoggedIn',
    ...afterSecondFactor,
  }),
  RecoveryCodeEntry: row('RecoveryCodeEntry', {
    codeWanted: 'TOTPEntry',
    secondFactorAccepted: 'LoggedIn',
    ...afterSecondFactor,
  }),
  RecoveryCodeSave: row('RecoveryCodeSave', { saved: 'LoggedIn', ...afterSecondFactor }),
  SMSOTPEnrollment: row('SMSOTPEnrollment', { textSent: 'SMSOTPEntry', skipped: 'LoggedIn' }),
  SMSOTPEntry: row('SMSOTPEntry', {
    textSent: 'SMSOTPEntry',
    secondFactorAccepted: 'LoggedIn',
    skipped: 'LoggedIn',
  }),
  SSODiscoveryEmail: row('SSODiscoveryEmail', {
    organizationMissing: 'SSODiscoveryFallback',
    organizationFound: 'OrganizationDiscoveryClaimedDomain',
    connectionsWanted: 'SSODiscoveryMenu',
  }),
  SSODiscoveryFallback: row('SSODiscoveryFallback', { organizationWanted: 'SSODiscoveryEmail' }),
  SSODiscoveryMenu: row('SSODiscoveryMenu', {}),
  OrganizationDiscoveryClaimedDomain: row('OrganizationDiscoveryClaimedDomain', {
    organizationEntered: 'Organization',
  }),
  Organization: row('Organization', {
    connectionsWanted: 'SSODiscoveryMenu',
    emailGiven: 'EmailMethodSelection',
    linkSent: 'EmailConfirmation',
    otpSent: 'EmailOTPEntry',
    passwordWanted: 'PasswordEmail',
  }),
  Discovery: row('Discovery', {
    joined: 'LoggedIn',
    joinRefused: 'CannotJoinOrgDueToAuthPolicy',
    skipped: 'LoggedIn',
    signedOut: 'Main',
  }),
  CannotJoinOrgDueToAuthPolicy: row('CannotJoinOrgDueToAuthPolicy', {
    organizationEntered: 'Organization',
    skipped: 'LoggedIn',
  }),
  LoggedIn: row('LoggedIn', { consentAsked: 'IDPConsent', signedOut: 'Main' }),
  IDPConsent: row('IDPConsent', { signedOut: 'Main', skipped: 'LoggedIn' }),
  Error: row('Error', {}),
}
