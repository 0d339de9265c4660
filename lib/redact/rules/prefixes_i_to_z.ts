// Tokens of providers by their prefix, classes from I to Z. The prefixes that many providers share are at the end.
// Pure.
//
// A line is a row of `tokens.ts`: the class, the alphabet of the rest of a token, the minimum length of that rest,
// and the prefixes. A token ends only where its alphabet ends, so lengths are lower limits.

export const PREFIXES_I_TO_Z = `
imagekit-key base64 24 private_
infisical-token dotted 60 st.
infracost-key alnum 30 ico-
inngest-key hex 32 signkey-prod- signkey-test- signkey-branch-
intercom-token base64 50 dG9rO
intra42-key hex 60 s-s4t2ud- s-s4t2af- u-s4t2ud- u-s4t2af-
ionic-token alnum 40 ion_
jina-key alnum 40 jina_
kaggle-token alnum 28 KGAT_
klaviyo-key hex 34 pk_
langfuse-key word 20 sk-lf- pk-lf-
langsmith-key word 20 lsv2_pt_ lsv2_sk_
langsmith-key alnum 24 ls__
letta-key word 30 sk-let-
lichess-token word 16 lip_
linear-key alnum 30 lin_api_ lin_oauth_
linear-key alnum 24 lin_wh_
linkedin-secret dotted 16 WPL_AP1.
llamacloud-key word 40 llx-
lob-key hex 34 live_ test_
locationiq-key lower 32 pk.
mailersend-token alnum 30 mlsn.
mailgun-key lower 32 key- pubkey-
mapbox-token dotted 40 pk.eyJ sk.eyJ tk.eyJ
mem0-key alnum 36 m0-
mercadopago-token word 40 APP_USR-
mercury-token word 40 mercury_production_ mercury_sandbox_
mergify-key word 40 mergify_application_key_
midtrans-key word 20 Mid-server- SB-Mid-server-
mongodb-key word 36 mdb_sa_sk_
neon-key alnum 40 napi_
netbird-token alnum 30 nbp_
netlify-token alnum 32 nfp_ nfc_ nfo_
newrelic-key upper 24 NRAK-
newrelic-key word 28 NRII- NRIQ-
newrelic-key lower 40 NRRA-
newrelic-key lower 16 NRJS-
newrelic-key word 24 NRSP- NRAL-
newrelic-key lower 19 NRBR- nrak- nraa- nrra- nrjs-
newrelic-key word 28 nrii- nriq- nrsp-
newrelic-key word 34 px-api- px-dep-
nightfall-key alnum 30 NF-
nostr-key lower 56 nsec1
notion-token alnum 40 secret_
notion-token alnum 36 ntn_
npm-token alnum 30 npm_
nuget-key lower 43 oy2
nvidia-key word 50 nvapi-
nylas-key alnum 32 nyk_v0_
octopus-key upper 24 API-
onepassword-token base64 40 ops_eyJ
onepassword-token word 26 A3-
onesignal-key lower 60 os_v2_app_ os_v2_org_
onfido-token word 20 api_live. api_sandbox. api_live_us. api_live_ca. api_live_eu.
openai-key word 20 sk-proj- sk-svcacct- sk-admin- sk-None- sk-
openai-key alnum 36 sess-
openrouter-key word 20 sk-or-
openshift-token word 40 sha256~
packagist-token word 30 packagist_
paddle-key word 40 pdl_live_apikey_ pdl_sdbx_apikey_
pagarme-key alnum 28 ak_live_ ak_test_
pagerduty-key word 16 u+
paseto dotted 60 v2.local. v3.local. v4.local.
paystack-key alnum 30 sk_paystack_
perplexity-key alnum 40 pplx-
persona-key word 20 persona_production_ persona_sandbox_
photoroom-key word 40 sk_pr_ sandbox_sk_pr_
pinecone-key word 40 pcsk_
pinterest-token word 24 pina_
plaid-token word 36 access-sandbox- access-development- access-production-
planetscale-token any 28 pscale_tkn_ pscale_pw_ pscale_oauth_
polar-token word 20 polar_at_ polar_oat_ polar_pat_ polar_rt_
portainer-token base64 24 ptr_
posthog-key word 36 phc_ phx_ phs_
postman-key word 40 PMAK-
postman-key word 24 PMAT-
prefect-key alnum 34 pnu_ pnb_
private-key base64 20 LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBQUklWQVRFIEtFWS
private-key base64 20 LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg
private-key base64 20 LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS LS0tLS1CRUdJTiBEU0EgUFJJVkFURS
private-key base64 40 b3BlbnNzaC1rZXktdjE
proof-key word 24 prf_ prf_cli_
pubnub-key word 36 pub-c- sub-c- sec-c-
pulumi-token lower 38 pul-
pypi-token word 20 pypi-AgEI
pypi-token word 40 pypi-
quay-token alnum 30 quay_
quicknode-key hex 30 QN_
railway-token word 30 railway_
ramp-key alnum 36 ramp_sec_ ramp_id_
razorpay-key alnum 14 rzp_live_ rzp_test_
readme-key alnum 60 rdme_
redirect-pizza-token alnum 28 rpa_
render-key alnum 24 rnd_
replicate-token alnum 34 r8_
resend-key word 24 re_
riot-key word 36 RGAPI-
robinhood-key word 36 rh-api-
rootly-key hex 60 rootly_
rubygems-key lower 32 rubygems_
salad-key word 20 salad_cloud_
salesforce-key any 60 3MVG9 5AEP861
samsara-token alnum 26 samsara_api_
scaleway-key upper 17 SCW
scalingo-token word 44 tk-us- tk-eu-
semgrep-token word 38 sgp_ sgph_
sendgrid-key dotted 40 SG.
sentry-token base64 30 sntrys_
sentry-token hex 40 sntryu_ sntrya_
settlemint-token alnum 16 sm_aat_ sm_pat_ sm_sat_
shippo-token hex 38 shippo_live_ shippo_test_
shopify-token alnum 28 shpat_ shpca_ shppa_ shpss_ shpua_ shptka_
slack-token word 14 xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxe- xoxe.xoxp- xoxe.xoxb- xapp-
slack-token word 20 xwfp-
slack-token any 20 xoxd-
smooch-key lower 24 act_
snyk-token dotted 30 snyk_
sonar-token lower 40 sqp_ squ_ sqa_
sonar-token alnum 50 sqco_
sourcegraph-token hex 40 sgp_ slk_ sgd_
square-token word 20 sq0atp- sq0idp-
square-token word 30 sq0csp-
square-token word 56 EAAA
square-token word 20 sq0i sandbox-sq0i
stackhawk-key dotted 36 hawk.
stripe-key alnum 10 sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ sk_prod_ rk_prod_
stripe-key word 16 sk_org_
stripe-key base64 20 whsec_
stytch-secret base64 30 secret-live- secret-test-
supabase-key word 36 sbp_
supabase-key word 20 sb_secret_
tailscale-key word 20 tskey-
tavily-key word 24 tvly-
teamwork-token base64 60 tkn.v1_
telnyx-key word 50 KEY
tencent-key alnum 28 AKID
thunderstore-token word 24 tss_
together-key word 36 tgp_v1_
trello-token hex 64 ATTA
trigger-key word 20 tr_dev_ tr_prod_ tr_pat_ tr_stg_
trufflehog-key hex 16 thog-key- thog-secret-
twilio-key hex 32 SK
typeform-token dotted 40 tfp_
ubidots-token alnum 28 BBFF- BBUS-
unkey-key alnum 20 unkey_
upcloud-token alnum 24 ucat_
valtown-token word 24 vtwn_
vault-token dotted 20 hvs. hvb. hvr.
vault-token alnum 24 s.
vault-token word 20 b.AAAA
veracode-key hex 30 vera01ei- vera01es-
vercel-token word 24 vercel_blob_rw_
vercel-token word 24 vcp_ vck_
vercel-token word 24 vca_ vci_ vcr_
voiceflow-key dotted 36 VF. VF.DM. VF.WS.
volcengine-key alnum 32 AKLT
voyage-key word 40 pa-
wakatime-key word 30 waka_
wandb-key word 40 wandb_v1_
workato-token dotted 60 wrka- wrkaus- wrkaeu-
workos-key word 30 sk_workos_
wundergraph-key hex 30 cosmo_
xai-key word 60 xai-
xata-key alnum 28 xau_
yandex-token word 34 AQVN
yandex-token any 80 t1.9eu
yandex-token word 50 y0_
yandex-token word 20 YCAJE
yandex-token word 36 YCP
xendit-key word 40 xnd_production_ xnd_development_
youtrack-token dotted 30 perm: perm-
zapier-key word 20 sk-ak-
zoho-token dotted 60 1000.
zuplo-key word 36 zpka_
api-key word 24 sk_
`;
