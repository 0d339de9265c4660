/**
 * Names of services that give out keys, in lower case and without marks. Pure.
 *
 * A hash beside one of them is more likely a key than a hash. Words of everyday code are left out.
 *
 * @module
 */

export const PROVIDERS = `
abuseipdb abyssale accountname accuweather adafruit adobe adzuna aeroworkflow agora aha airbrake
airship airtable airvisual aiven alchemy alconost alegra aletheiaapi algolia alibaba alienvault
aliyun allsports amadeus ambee amplitude anthropic anypoint apacta api2cart apideck apiflash
apifonica apify apilayer apimatic apimetrics apitemplate apollo appcues appfollow appointedd
appoptics appsynergy apptivo artifactory artsy asana assemblyai atera atlassian audd auth0
authress autodesk autoklose autopilot avaza aviationstack aws axonaut aylien ayrshare azure
azureapinet bannerbear baremetrics beamer beebole besnappy besttime betterstack billomat bintray
bitbar bitbucket bitcoinaverage bitfinex bitly bitmex bitrise bittrex blazemeter blitapp
blocknative blogger bombbomb boostnote borgbase boxa boxcom boxk boxsubject boxt braintree
brandfetch browshot buddyns budibase bugherd bugsnag buildkite bulbul bulksms buttercms caflou
cais calendarific calendly calorieninja campayn canny canva capella capsulecrm captaindata
carboninterface cashboard caspio censys centralstation centralstationcrm cexio chartmogul chatbot
chatfuel checio checklyhq checkout checkvist cicero circle circleci cisco civo clarifai clearbit
clerk clickhelp clickhouse clickup cliengo clientary clinchpad clockify clockwork closecrm
cloudconvert cloudelements cloudflare cloudimage cloudinary cloudmersive cloudplan cloudsight
cloudsmith cloverly cloze clustdoc coda codacy codeclimate codemagic codequiry cohere coinapi
coinbase coinlayer coinlib collect2 commercejs commodities companyhub configcat confluence
confluent contentful conversiontools convertapi convertkit convier couchbase countrylayer courier
coveralls craftmypdf crowdin cryptocompare currencycloud currencyfreaks currencylayer
currencyscoop currentsapi cursor d7network daily dandelion dareboost databento databox datadog
datagov debounce deepai deepgram deepseek delighted demio detectify detectlanguage diffbot
diggernaut discord disqus ditto dnscheck docparser docsearch dovico dronahq droneci dropbox dwolla
dynalist dyspatch eaac eaam eagleeyenetworks easyinsight ebay ecostruxureit edamam edenai
elevenlabs enablex enigma enterpriseid envoy etherscan ethplorer etsy eventbrite everhour
exchangerates exoscale exportsdk extractorapi facebook faceplusplus fastforex fastly feedier
fetchrss fibery figma fileio finage financialmodelingprep findl finicity finnhub flickr flightapi
flightlabs flightstats flowflu fmfw formbucket formcraft formio formsite foursquare freshbooks
freshdesk freshworks fulcrum fullstory fxmarket geckoboard gengo geoapify geocod geocode geocodify
geoip getemail getemails getgeoapi getgist getresponse getsandbox ghapi ghpat gitea githubapi
gitter glassnode gocanvas gocardless godaddy goodday google graphhopper greptile gtmetrix guardian
gumroad gyazo happyscribe harvest hasura hellosign helpcrunch helpscout hereapi heroku hetzner
highnote hiveage holidayapi holistic honeycomb huawei hubspot huggingface humanity hybiscus
hypertrack ibm iconfinder iexapis iexcloud imagekit imagga influx infomaniak infura
inrlbxbvcmfslmlv insightly instabot instamojo intercom interseller intrinio invoiceocean
ip2location ipapi ipgeolocation ipifi ipinfo ipinfodb ipquality ipstack jfrog jira jotform
jumpcloud jupiterone juro kagi kanban kanbantool kickbox kimi klaviyo klipfolio knapsackpro
kontent kraken kucoin kylas langfuse languagelayer lark larksuite launchdarkly leadfeeder lemlist
lemonsqueezy lendflow lexigram lighton linear linenotify linkedin linkpreview linode liveagent livestorm
loadmill loggly loginradius logz lokalise looker loyverse lunchmoney luno m3o madkudu magicbell
magnetic mailboxlayer mailchimp mailerlite mailgun mailjet mailmodo mailsac managementazureapinet
mandrill mapbox mapquest marketstack mattermost mavenlink maxmind meaningcloud mediastack
meistertask meraki mesibo messagebird metaapi metrilo mindmeister minimax miro mistral mixmax
mixpanel mockaroo monkeylearn moonclerk moonshot moosend moralis mrticktock mux myintervals nasdaq
netcore nethunt netlify netsuite neutrinoapi newrelic newsapi newscatcher newyorktimes nexmo
nftport ngc ngrok nicereply noticeable notion nozbe nozbeteams numverify nutritionix nylas nytimes
oanda okta ollama omnisend onedesk onepagecrm onesignal onfleet oopspam openai opencagedata openuv
openvpn openweather opsgenie optimizely oracle overloop owlbot packagecloud pagerduty pandadoc
pandascore paperform paradigm paralleldots parsehub parseur parseuril partnerstack paydirtapp
paymoapp paymongo paypal pdflayer pdfshift peopledatalabs pepipost percy perplexity photoroom
pinata pinecone pipedream pipedrive pivotal pixabay plaid planetscale planview planviewleankit
planyo plivo podio pollsapi polymarket poloniex portainer positionstack postageapp postbacks posthog postmark
powrbot prefect privateai prodpad prospect proxycrawl pulumi purestake pushbullet pusher pyowm
pyxis qase qualaroo qubole rainforest rapidapi rawg reachmail rebrandly recaptcha relic rentman
repairshopr replicate replyio requestfinance restpack revamp ringcentral ritekit roaring
rocketreach rockset ronin route4me rownd runrunit runscope salesblink salescookie salesflare
salesforce salesmate sanity satismeter saucelabs scaleway scalr scrapeowl scraperapi scraperbox
scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer scrutinizer
securitytrails selectpdf semaphore sendbird sentry serphouse serpstack sheety sherpadesk shipday
shodan shopify shortcut shotstack shutterstock signalwire signaturit signupgenius sigopt simfin
simplesat simplynoted simvoly sinch siteleaf skrapp skybiometry smartsheets smartystreets smooch
snipcart snowflake solarwinds sonar sonarqube sourcegraph sparkpost speechtext splunk spoonacular
sportsmonk spotify squarespace sslmate stability statuscake statuspage statuspal stitchdata
stockdata storecove stormboard stormglass storyblok storychief strava stripo stytch
sugester sumo supernotes surveybot surveysparrow survicate swiftype tallyfy tatum taxjar teamgate
teamwork teamworkcrm teamworkdesk teamworkspaces technicalanalysisapi tefter telegr telegram
teletype telnyx tencent terraform testingbot textanywhere textmagic tgram theoddsapi thinkific
thousandeyes ticketmaster tickettailor tiingo timecamp timezoneapi tmetric todoist toggl
tokeet tomtom tradier transferwise travelpayouts travis trello tumblr twelvedata twilio twitch
twitter tyntec typeform typetalk uclassify unplu unsplash upcdatabase uplead uploadcare upstage
uptimerobot upwave urlscan vagrant vatlayer vbout vercel verimail veriphone versioneye viewneo
virustotal visualcrossing vmware voicegain voodoosms vouchery vpnapi vultr vyte wakatime walkscore
wandb weatherbit weatherstack webex webflow webscraper webscraping websitepulse weightsandbiases
wepay whoxy wistia wiz workos worksnaps workstack worldcoinindex worldweather wrike xray yandex
yelp youneedabudget yousign youtube zai zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce
zerotier zipapi zipbooks zipcodeapi zipcodebase zonka
`;
