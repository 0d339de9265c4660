// Names of services that issue keys, in lower case and without marks. Pure.
//
// A hash next to such a name is probably a key. Words of everyday code are left out.

export const PROVIDERS = `
abuseipdb abyssale accountname accuweather adafruit adobe adobeio adyen adzuna aeroworkflow agora
aha ai21 aikido airbrake airbyte airship airtable airvisual aiven alchemy alconost alegra
aletheiaapi algolia alibaba alienvault aliyun allsports amadeus ambee amplitude ankr anthropic
anypoint apacta api2cart apideck apiflash apifonica apify apilayer apimatic apimetrics
apitemplate apollo appcues appfollow appointedd appoptics appsflyer appsynergy apptivo appveyor
appwrite arbiscan artifactory artsy asaas asana assemblyai atera atlassian audd auth0 authress
autodesk autoklose autopilot avaza aviationstack aws axonaut aylien ayrshare azure azureapinet
baidu bamboohr bannerbear baremetrics basecamp baseten beamer beebole besnappy besttime
betterstack bigcommerce billomat binance bintray bitbar bitbucket bitcoinaverage bitfinex bitly
bitmex bitquery bitrise bitstamp bittrex blazemeter blitapp blockfrost blocknative blogger blynk
bombbomb boostnote borgbase boxa boxcom boxk boxsubject boxt braintree braintrust branchio
brandfetch braze brevo brightdata browserless browserstack browshot bscscan buddyns budibase
bugherd bugsnag buildkite bulbul bulksms bunnycdn buttercms bybit caflou cais calendarific
calendly calorieninja campayn canny canva capella capsulecrm captaindata carboninterface
cashboard caspio censys centralstation centralstationcrm cerebras cexio chainstack chargebee
chargify chartmogul chatbot chatfuel chatfule checio checklyhq checkoutcom checkvist cicero
circle circleci cisco ciscomeraki civo clarifai clearbit clerk clevertap clickatell clickhelp
clickhouse clicksend clicksendsms clickup cliengo clientary clinchpad clockify clockwork
clockworksms clojars closecrm cloudconvert cloudelements cloudflare cloudimage cloudinary
cloudmersive cloudplan cloudsight cloudsmith cloverly cloze clustdoc cockroachlabs coda codacy
codeclimate codecov codefresh codemagic codequiry coderabbit codesandbox codeship cohere coinapi
coinbase coingecko coinlayer coinlib coinmarketcap collect2 commercejs commodities companyhub
configcat confluence confluent contentful conversiontools convertapi convertkit convier couchbase
countrylayer courier covalent coveralls coze craftmypdf cronitor crowdin crowdstrike
cryptocompare currencycloud currencyfreaks currencylayer currencyscoop currentsapi customerguru
customerio d7network daily dailyco dandelion dareboost databento databox databricks datadog
datagov datastax debounce deepai deepgram deepseek deezer definednetworking delighted demio
dependencytrack deribit detectify detectlanguage devcycle deviantart dfuse diffbot diggernaut
digitalocean discord disqus ditto dnscheck dockerhub docparser docsearch documo docusign doppler
dotdigital dovico dronahq droneci dropbox dropboxsign duffel dwolla dynalist dynatrace dyspatch
eaac eaam eagleeyenetworks easyinsight easypost ebay ecostruxureit edamam edenai eightxeight
elasticcloud elasticemail elevenlabs enablex endorlabs enigma enterpriseid envoy eodhd etherscan
ethplorer etrade etsy eventbrite everhour exaai exchangerateapi exchangerates exchangeratesapi
exoscale exportsdk extractorapi facebook faceplusplus fastforex fastly fauna feedier fetchrss
fibery figma fileio finage financialmodelingprep findl finicity finnhub fireworksai fivetran
fixerio flagsmith flatio fleetbase flexport flickr flightapi flightlabs flightstats flowflu
flutterwave flyio fmfw formbucket formcraft formio formsite foursquare frameio freemius
freshbooks freshdesk freshworks friendli fulcrum fullstory fxmarket gateio gcore geckoboard gengo
geoapify geocod geocode geocodify geocodio geoip geoipifi getemail getemails getgeoapi getgist
getresponse getsandbox ghapi ghpat gitalk gitea githubapi gitter glassnode gocanvas gocardless
godaddy gogs goodday google gorgias grafana graphcms graphhopper greptile groovehq groq
growthbook gtmetrix guardian guardianapi gumroad gupshup gyazo happyscribe harvest hashicorp
hasura healthchecks hellosign helpcrunch helpscout hereapi heroku hetzner highnote hightouch
hiveage holidayapi holistic honeybadger honeycomb hotjar html2pdf huawei hubspot huggingface
humanity huobi hybiscus hypertrack ibm iconfinder iexapis iexcloud ifttt imagekit imagga imgix
incidentio influx infobip infomaniak infracost infura inrlbxbvcmfslmlv insightly instabot
instamojo instana intercom interseller intigriti intra42 intrinio invoiceocean ip2location ipapi
ipgeolocation ipifi ipinfo ipinfodb ipquality ipstack iterable jenkins jfrog jina jira jotform
jumpcloud jupiterone juro kagi kaleyra kanban kanbantool karmacrm keenio kibana kickbox kimi
kinvey klarna klaviyo kling klingai klipfolio knapsackpro kochava kofi kontent kraken kucoin
kustomer kylas langchain langfuse langsmith languagelayer lark larksuite launchdarkly leadfeeder
leanplum lemlist lemonsqueezy lendflow lessannoyingcrm lexigram lichess lighton lightstep linear
linemessaging linenotify linkedin linkpreview linode liveagent livekit livestorm loadmill
locationiq logdna loggly loginradius logrocket logtail logz logzio lokalise looker loyverse
lunchmoney luno m3o madkudu magicbell magnetic mailboxlayer mailchimp mailerlite mailersend
mailgun mailjet mailmodo mailsac mailtrap managementazureapinet mandrill mapbox mapquest
marketstack matomo mattermost mavenlink maxmind meaningcloud mediastack meistertask meraki
mergify mesibo messagebird messari metaapi metabase metrilo midtrans mindmeister minimax miro
mistral mite mixmax mixpanel mockaroo moengage mollie monkeylearn moonclerk moonshot moosend
moralis mparticle mrticktock mux myfreshworks myintervals nansen nasa nasdaq nasdaqdatalink neon
netcore netdata nethunt netlify netsuite neutrinoapi newrelic newsapi newscatcher newyorktimes
nexmo nftport ngc ngrok nhost nicereply nightfall nordigen noticeable notion nozbe nozbeteams npm
nuget numverify nutritionix nvidia nylas nytimes oanda octopusdeploy okta okx ollama omnisend
onedesk onelogin onepagecrm onepassword onesignal onfido onfleet oopspam openai opencagedata
openrouter opensea openuv openvpn openweather openweathermap opsgenie optimizely oracle overloop
ovh owlbot packagecloud pagarme pagerduty pandadoc pandascore paperform papertrail paradigm
paralleldots parsehub parseur parseuril particleio partnerstack pastebin patreon paydirtapp
paymoapp paymongo paypal paystack payu pdflayer pdfshift pendo peopledatalabs pepipost percy
perplexity pganalyze phemex photoprism photoroom pinata pinboard pinecone pingdom pinterest
pipedream pipedrive pivotal pivotaltracker pixabay plaid planetscale planview planviewleankit
planyo plivo podio pollsapi poloniex polygonscan polymarket portainer positionstack postageapp
postbacks posthog postman postmark powrbot prefect privateai prodpad prospect prospectcrm
protocolsio proxycrawl pubnub pulumi purestake pushbullet pusher pusherchannel pushover pushwoosh
pyowm pypi pyxis qase qualaroo qubole quickbooks quicknode railwayapp rainforest rapidapi rawg
raygun razorpay reachmail reallysimplesystems rebrandly recaptcha rechargepayments recurly
refiner relic rentman repairshopr replicate replyio requestfinance resend restpack retellai
revamp revampcrm ringcentral riotgames ritekit roaring robinhood rocketreach rockset rollbar
ronin route4me rownd rubygems rudderstack runpod runrunit runscope runwayml saladcloud salesblink
salescookie salesflare salesforce salesmate saltedge samsara sanity satismeter saucelabs scaleway
scalingo scalr scrapeowl scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee
screenshotapi screenshotlayer scrutinizer scrutinizerci securitytrails selectpdf semaphore
sendbird sendgrid sendinblue sendpulse sentry serpapi serphouse serpstack settlemint sheety
sherpadesk shipday shipengine shippo shodan shopify shopware shortcut shotstack shutterstock
sidekiq signalwire signaturit signoz signupgenius sigopt simfin simplesat simplynoted simvoly
sinch sirv siteleaf skrapp skrappio skybiometry smartsheet smartsheets smartystreets smooch
smtp2go snipcart snowflake snowtrace snyk solarwinds sonar sonarcloud sonarqube sourcegraph
sourcegraphcody sparkpost spectralops speechtext speechtextai splunk spoonacular sportsmonk
spotify squarespace sslmate stability stabilityai stackexchange stackhawk starburst statsig
statuscake statuspage statuspal stitchdata stockdata storecove stormboard stormglass storyblok
storychief strava streak stripo stytch sucuri sugester sumo sumologic supabase supernotes
surveyanyplace surveybot surveysparrow survicate swiftype tailscale tallyfy tatum tatumio tavily
taxjar teamcity teamgate teamwork teamworkcrm teamworkdesk teamworkspaces technicalanalysisapi
tefter telegr telegram teletype telnyx tencent tenderly terraform testingbot textanywhere
textmagic tgram theoddsapi thingsboard thinkific thirdweb thousandeyes thunderstore ticketmaster
tickettailor tiingo timecamp timescale timezoneapi tineswebhook tmdb tmetric todoist togetherai
toggl tokeet tomorrowio tomtom tradier trakt transferwise travelpayouts travis travisci trello
truelayer truenas tumblr turso twelvedata twilio twitch twitter tyntec typeform typetalk ubidots
uclassify unifyid unplu unplugg unsplash upcdatabase upcloud uplead uploadcare upstage upstash
uptimerobot upwave urlscan userflow userstack vagrant vastai vatlayer vbout vercel verimail
veriphone versioneye viewneo vimeo virustotal visualcrossing vmware voiceflow voicegain vonage
voodoosms vouchery voyageai vpnapi vultr vyte wakatime walkscore wandb weatherbit weatherstack
web3storage webengage webex webflow webscraper webscraping websitepulse weightsandbiases wepay
whoisxml whoxy wistia wiz woocommerce workato workos worksnaps workstack worldcoinindex worldpay
worldweather wpengine wrike xai xero xray yandex yelp yodlee youneedabudget yousign yugabyte zai
zapier zendesk zenkit zenrows zenscrape zenserp zeplin zeptomail zerobounce zerotier zhipu zipapi
zipbooks zipcodeapi zipcodebase zoho zohocrm zonka zonkafeedback zoom zulipchat zuora zuplo
`;
